import { DatabaseSync } from "node:sqlite";

/** The file holds something that this program must not write over. */
export class ForeignFileError extends Error {
  override readonly name = "ForeignFileError";
}

/** "shlf": tells SQLite files of this program from those of others. */
const applicationId = 0x73686c66;
const schemaVersion = 2;

/** The longest wait for a lock of another process, in ms. */
const patience = 2_000;

const schema = `
  -- one row: the source of the copy, and the number of the last sync
  CREATE TABLE sync (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    source TEXT NOT NULL,
    since TEXT NOT NULL,                       -- the start of the protocols
    round INTEGER NOT NULL,
    writer TEXT NOT NULL,                      -- the process that may write
    finished_at TEXT
  ) STRICT;

  -- the state of each list and of the protocols of each store, and the last sync that has read them
  CREATE TABLE progress (
    list TEXT PRIMARY KEY,
    state TEXT,
    round INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stores (
    store_id TEXT PRIMARY KEY,
    external_id TEXT,
    name TEXT,
    data TEXT NOT NULL,                        -- the whole response as JSON
    hash TEXT NOT NULL,
    pass INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX stores_by_external_id ON stores (external_id);

  CREATE TABLE protocols (
    external_id TEXT NOT NULL,                 -- of the store
    protocol_key TEXT NOT NULL,                -- protocolId, else id, else a hash of the content
    data TEXT NOT NULL,
    PRIMARY KEY (external_id, protocol_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE fleet (
    list TEXT NOT NULL,                        -- vehicles, inspections, …
    id TEXT NOT NULL,
    data TEXT NOT NULL,
    hash TEXT NOT NULL,
    pass INTEGER NOT NULL,
    PRIMARY KEY (list, id)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the file, or makes it. A file of another program is refused before anything is written to it.
 * @throws {ForeignFileError}
 */
export function openFile(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { timeout: patience });
  try {
    const known = isOurs(file);
    // a transaction survives the death of the process at once, that of the machine after the next WAL checkpoint;
    // it is saved or lost whole, rows and place to go on from alike. Others can read meanwhile
    file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (!known) transact(file, () => create(file));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function isOurs(file: DatabaseSync): boolean {
  const pragma = (name: string): unknown => file.prepare(`PRAGMA ${name}`).get()?.[name];
  if (pragma("application_id") === applicationId) {
    if (pragma("user_version") === schemaVersion) return true;
    throw new ForeignFileError("was created by another version of this program");
  }
  if (file.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) return false;
  throw new ForeignFileError("is an SQLite file of another program");
}

function create(file: DatabaseSync): void {
  if (isOurs(file)) return; // another process was faster
  file.exec(`${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
}

/** Runs `work` in a transaction: all of what it writes is saved, or nothing. */
export function transact<T>(file: DatabaseSync, work: () => T): T {
  file.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    file.exec("COMMIT");
    return result;
  } catch (error) {
    if (file.isTransaction) file.exec("ROLLBACK");
    throw error;
  }
}
