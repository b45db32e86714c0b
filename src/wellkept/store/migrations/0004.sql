-- Keys may end by themselves. Keys that are there go on without an end.
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
