import type { Verbs, Viewpoint } from "./types.js";

export type * from "./types.js";

/** What the server refused: `code` is stable and the same on every surface. */
export declare class WellkeptError extends Error {
  readonly code: string;
  /** The HTTP status; none when no server was reached. */
  readonly status?: number;
  constructor(message: string, code: string, status?: number);
}

export interface CallOptions {
  signal?: AbortSignal;
  /** A name of your own for a write: sent again, it gives the same answer and changes nothing. */
  idempotencyKey?: string;
}

/** Every verb, with options as a further argument. */
export type RemoteViewpoint = {
  readonly [Name in keyof Verbs]: (
    ...given: undefined extends Parameters<Verbs[Name]>[0]
      ? [request?: Parameters<Verbs[Name]>[0], options?: CallOptions]
      : [request: Parameters<Verbs[Name]>[0], options?: CallOptions]
  ) => ReturnType<Verbs[Name]>;
};

/** A server: `http://host:port` or `https://…`. `key` is an API key or a context token. */
export declare class Client {
  constructor(url: string, options?: { key?: string; fetch?: typeof globalThis.fetch });
  /** Who speaks or asks, and where. What the key or token settles may be left out. */
  at(viewpoint?: Viewpoint): RemoteViewpoint;
}
