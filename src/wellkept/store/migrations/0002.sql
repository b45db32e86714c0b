-- A checksum a row, so that a bit that changed on the disk is found. Rows that are there stay without one until
-- `wellkept doctor --fix` or a write gives them theirs.
ALTER TABLE memories ADD COLUMN checksum INTEGER;
ALTER TABLE versions ADD COLUMN checksum INTEGER;
ALTER TABLE edges ADD COLUMN checksum INTEGER;
ALTER TABLE vectors ADD COLUMN checksum INTEGER;
ALTER TABLE messages ADD COLUMN checksum INTEGER;
ALTER TABLE traces ADD COLUMN checksum INTEGER;
ALTER TABLE policies ADD COLUMN checksum INTEGER;
ALTER TABLE persons ADD COLUMN checksum INTEGER;
ALTER TABLE aliases ADD COLUMN checksum INTEGER;
ALTER TABLE relationships ADD COLUMN checksum INTEGER;
ALTER TABLE session_states ADD COLUMN checksum INTEGER;
ALTER TABLE rolling_summaries ADD COLUMN checksum INTEGER;
ALTER TABLE session_summaries ADD COLUMN checksum INTEGER;
ALTER TABLE spines ADD COLUMN checksum INTEGER;
ALTER TABLE todos ADD COLUMN checksum INTEGER;
