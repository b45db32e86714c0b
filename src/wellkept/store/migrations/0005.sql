-- How far each webhook has been told of each chain of the ledger. Nothing to do for old rows: a webhook begins where it
-- is first seen.
CREATE TABLE webhook_marks (
  tenant TEXT NOT NULL,
  hook TEXT NOT NULL,
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (tenant, hook, scope)
) STRICT, WITHOUT ROWID;
