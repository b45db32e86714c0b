// A client of a wellkept server: one method for every operation, over fetch.

import { OPERATIONS } from "./operations.js";

/** What the server refused: `code` is stable and the same on every surface. */
export class WellkeptError extends Error {
  constructor(message, code, status) {
    super(message);
    this.name = "WellkeptError";
    this.code = code;
    this.status = status;
  }
}

/** A server. `at` says who asks, and where; the methods are then those of `Verbs`. */
export class Client {
  #url;
  #key;
  #fetch;

  constructor(url, { key, fetch = globalThis.fetch } = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
    this.#fetch = fetch;
  }

  at(viewpoint = {}) {
    const verbs = {};
    for (const name of Object.keys(OPERATIONS)) {
      verbs[name] = (request = {}, options = {}) => this.#call(name, request, viewpoint, options);
    }
    return Object.freeze(verbs);
  }

  async #call(name, request, viewpoint, { signal, idempotencyKey } = {}) {
    const [method, path] = OPERATIONS[name];
    const rest = { ...request };
    const filled = path.replace(/\{(\w+)\}/g, (_, parameter) => {
      const value = rest[parameter];
      if (value === undefined || value === null) {
        throw new WellkeptError(`${parameter} is missing.`, "invalid_parameter");
      }
      delete rest[parameter];
      return encodeURIComponent(value);
    });
    const url = new URL(this.#url + filled);
    const headers = {};
    if (this.#key) headers.authorization = `Bearer ${this.#key}`;
    if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
    let body;
    if (method === "GET" || method === "DELETE") {
      for (const [parameter, value] of Object.entries({ ...rest, ...viewpoint })) append(url, parameter, value);
    } else {
      headers["content-type"] = "application/json";
      body = JSON.stringify({ ...rest, viewpoint });
    }
    return answered(await this.#sent(url, { method, headers, body, signal }));
  }

  async #sent(url, request) {
    try {
      return await this.#fetch(url, request);
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw new WellkeptError(`No server answers at ${this.#url}: ${error.message}.`, "unreachable");
    }
  }
}

function append(url, parameter, value) {
  if (value === undefined || value === null) return;
  const isObject = typeof value === "object" && !Array.isArray(value);
  for (const one of Array.isArray(value) ? value : [isObject ? JSON.stringify(value) : value]) {
    url.searchParams.append(parameter, one);
  }
}

async function answered(response) {
  let given;
  try {
    given = await response.json();
  } catch {
    throw new WellkeptError("What answers there is no wellkept server.", "unreachable", response.status);
  }
  if (!response.ok) {
    throw new WellkeptError(given.detail ?? response.statusText, given.code ?? "error", response.status);
  }
  return given;
}
