// What the sinks over databases share: their tables, their statements, and what they do with them.
import { ConfigurationError } from "./clients.ts";
import { MirrorError } from "./errors.ts";
import type { Awaitable, MirrorChanges, MirrorEntry, MirrorSink, SavedBatch, Sink } from "./sink.ts";

/** A value of a statement. */
export type SqlValue = string | number | null;

/** A statement, and the values of its `?`. */
export type SqlStatement = readonly [sql: string, ...values: SqlValue[]];

/** A database: what it does in its own way. */
export interface SqlDriver {
  /** The SQL of a table `given` with the column `id`, whose rows are the texts of a JSON array. */
  readonly givenIds: string;
  /** The same with all columns of a row, whose rows are the objects of a JSON array. */
  readonly givenRows: string;
  /** The collation that compares texts byte for byte, and the type of a column for JSON. */
  readonly binary: string;
  readonly json: string;
  /** Runs a statement. Returns the values of its rows, which are texts. */
  read(statement: SqlStatement): Awaitable<unknown[][]>;
  /** Runs statements in one transaction. Returns false, and has done nothing, if the first one returns no row. */
  write(first: SqlStatement, others: readonly SqlStatement[]): Awaitable<boolean>;
}

/** Returns the sink over a database. Rows with pass 0 are those of a pull. */
export function sqlSink<T, D>(driver: SqlDriver, tables: SqlTables): Sink<T, D> {
  const findTexts = async (keys: readonly string[]) => {
    const sql = `SELECT name, state FROM ${driver.givenIds} JOIN ${tables.state} ON name = given.id`;
    return new Map((await driver.read([sql, JSON.stringify(keys)])) as [string, string][]); // the columns' types
  };
  const loadState = async (key: string) => (await findTexts([key])).get(key);
  const write = (key: string, saved: SavedText, statements: readonly SqlStatement[]) =>
    driver.write(replaceText(tables, key, saved), statements);
  return {
    async load() {
      const state = await loadState(mirrorState);
      if (state?.startsWith('{"v":1,') === true) await driver.write(["SELECT 1"], [copyPasses(tables)]);
      return state;
    },
    async save(changes) {
      const statements = saveEntries(driver, tables, changes);
      if (!(await write(mirrorState, changes, statements))) throw otherProgram(tables);
    },
    ...readEntries(driver, tables),
    loadState: async (store) => loadState(stateOf(store)),
    async saveBatch(store, batch) {
      const statements = putRows(driver, tables, pullRows(store, batch), "saved.pass = 0");
      if (!(await write(stateOf(store), batch, statements))) throw otherProgram(tables, store);
    },
    findRecords: findTexts,
    saveRecord: async (key, before, state) => write(checkText(key), { state, before }, []),
  };
}

/** Whether a row has a given ID. The user's table may compare IDs in another way than byte for byte. */
function isGiven({ binary }: SqlDriver): string {
  return `saved.id = given.id AND saved.id COLLATE ${binary} = given.id`;
}

/** Returns the methods of a mirror that read. */
function readEntries(
  driver: SqlDriver,
  { rows, seen }: SqlTables,
): Pick<MirrorSink<unknown>, "find" | "countUnseen" | "findUnseen"> {
  const { givenIds, binary } = driver;
  const unseen = `FROM ${seen} AS seen JOIN ${rows} AS saved ON saved.id = seen.id COLLATE ${binary} WHERE seen.pass < ?`;
  return {
    async find(ids) {
      const last = "CASE WHEN seen.pass > saved.pass THEN seen.pass ELSE saved.pass END";
      const sql = `SELECT saved.id, saved.hash, CAST(${last} AS text) FROM ${givenIds}
        JOIN ${rows} AS saved ON ${isGiven(driver)} AND saved.pass > 0 LEFT JOIN ${seen} AS seen ON seen.id = given.id`;
      const found = await driver.read([sql, JSON.stringify(ids)]);
      return new Map(
        found.map(([id, hash, pass]) => [String(id), { hash: String(hash), pass: Number(pass) }]),
      );
    },
    async countUnseen(pass) {
      const [[count] = []] = await driver.read([`SELECT CAST(count(*) AS text) ${unseen}`, pass]);
      return Number(count);
    },
    async findUnseen(pass, after) {
      const columns = "seen.id, saved.ref, CAST(seen.pass AS text)";
      const sql = `SELECT ${columns} ${unseen} AND seen.id > ? ORDER BY seen.id LIMIT 100`;
      const found = await driver.read([sql, pass, after]);
      return found.map(([id, ref, last]) => ({
        id: String(id),
        ref: ref as string | null, // the column's type
        pass: Number(last),
      }));
    },
  };
}

/** Returns the statement for a table of version 0.1, which had the last passes in the rows. */
function copyPasses({ rows, seen }: SqlTables): SqlStatement {
  const last = `SELECT id, pass FROM ${rows} WHERE pass > 0`;
  return [`INSERT INTO ${seen} (id, pass) ${last} ON CONFLICT (id) DO NOTHING`];
}

/** Returns the statements that save the changes of a mirror. */
function saveEntries(
  driver: SqlDriver,
  tables: SqlTables,
  { entries, seen, deleted, pass }: MirrorChanges<unknown, unknown>,
): SqlStatement[] {
  const marked = JSON.stringify([...new Set([...entries.map(({ id }) => id), ...seen])]);
  const gone = JSON.stringify(deleted);
  const ids = `(SELECT given.id FROM ${driver.givenIds})`;
  const remove = `DELETE FROM ${tables.rows} WHERE pass > 0 AND id IN ${ids} AND id COLLATE ${driver.binary} IN ${ids}`;
  return [
    ...putRows(driver, tables, mirrorRows(entries, pass), "saved.pass > 0"),
    [
      `INSERT INTO ${tables.seen} (id, pass) SELECT saved.id, CAST(? AS integer) FROM ${driver.givenIds}
      JOIN ${tables.rows} AS saved ON ${isGiven(driver)} AND saved.pass > 0 WHERE true
      ON CONFLICT (id) DO UPDATE SET pass = excluded.pass`,
      pass,
      marked,
    ],
    [remove, gone, gone],
    [`DELETE FROM ${tables.seen} WHERE id IN ${ids}`, gone],
  ];
}

type SavedText = Pick<SavedBatch, "state" | "before">;

/** Returns the statement that replaces a text, and returns a row if it was the expected one. */
function replaceText({ state: table }: SqlTables, key: string, { state, before }: SavedText): SqlStatement {
  const insert = `INSERT INTO ${table} (name, state) VALUES (?, ?) ON CONFLICT (name) DO NOTHING RETURNING name`;
  return before === undefined
    ? [insert, key, state]
    : [`UPDATE ${table} SET state = ? WHERE name = ? AND state = ? RETURNING name`, state, key, before];
}

/** Returns the statements that update the rows that fulfill a condition, and insert the others. */
function putRows(
  driver: SqlDriver,
  tables: SqlTables,
  changed: readonly SqlRow[],
  condition: string,
): SqlStatement[] {
  if (changed.length === 0) return [];
  const rows = `${tables.rows} AS saved`;
  const { givenRows, json } = driver;
  const isSaved = `${isGiven(driver)} AND ${condition}`;
  const [data, detail] = ["data", "detail"].map((name) => `CAST(given.${name} AS ${json})`);
  const values = JSON.stringify(changed);
  // an insert with a conflict clause would run the user's triggers for inserts, too
  return [
    [
      `UPDATE ${rows} SET ref = given.ref, hash = given.hash, pass = given.pass, data = ${data}, detail = ${detail}
      FROM ${givenRows} WHERE ${isSaved}`,
      values,
    ],
    [
      `INSERT INTO ${tables.rows} (id, ref, hash, pass, data, detail)
      SELECT given.id, given.ref, given.hash, given.pass, ${data}, ${detail} FROM ${givenRows}
      WHERE NOT EXISTS (SELECT 1 FROM ${rows} WHERE ${isSaved})`,
      values,
    ],
  ];
}

/** The quoted names of the tables of a sink. The first one is that of the user. */
export interface SqlTables {
  rows: string;
  /** The last pass that has seen an entry. It is not in the row, because the user's triggers are about changes. */
  seen: string;
  /** Texts by their keys: the states of mirror and pull, and the records of \`ensure\` and \`pullStores\`. */
  state: string;
}

/** Returns the statements that create the tables where they do not exist. The second one fails for a table of another kind. */
export function createTables(
  { rows, seen, state }: SqlTables,
  { binary, json }: Pick<SqlDriver, "binary" | "json">,
): string[] {
  const key = `text COLLATE ${binary} PRIMARY KEY`;
  return [
    `CREATE TABLE IF NOT EXISTS ${rows} (id ${key}, ref text, hash text NOT NULL, pass integer NOT NULL, data ${json} NOT NULL,
    detail ${json})`,
    `SELECT id, ref, hash, pass, data, detail FROM ${rows} LIMIT 0`,
    `CREATE TABLE IF NOT EXISTS ${seen} (id ${key}, pass integer NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${state} (name ${key}, state text NOT NULL)`,
  ];
}

/** Reads the name of a table: `vehicles`, or `fleet.vehicles` in a schema. */
export function readTables(label: string, name: string, maxBytes = Infinity): SqlTables {
  const parts = name.split(".");
  const table = parts.at(-1) ?? "";
  if (parts.length > 2 || parts.includes("") || name.includes("\0"))
    throw new ConfigurationError(
      `${label}: the table must be a name without a dot, such as vehicles, or fleet.vehicles for a schema`,
    );
  const [rows, seen, state] = ["", "_seen", "_state"].map((suffix) => {
    const whole = table + suffix;
    if (new TextEncoder().encode(whole).length > maxBytes)
      throw new ConfigurationError(`${label}: the table ${whole} has a name of more than ${maxBytes} bytes`);
    return [...parts.slice(0, -1), whole].map((part) => `"${part.replaceAll('"', '""')}"`).join(".");
  }) as [string, string, string];
  return { rows, seen, state };
}

/** The values of a row. */
interface SqlRow {
  id: string;
  ref: string | null;
  hash: string;
  /** The pass that saved it; 0 for an item of a pull. */
  pass: number;
  data: string;
  detail: string | null;
}

/** The key under which a mirror saves its state. The jobs use others for their records. */
const mirrorState = "mirror";

/** Returns the key under which the state of a store is saved. */
function stateOf(store: string): string {
  return checkText(`pull/${store}`);
}

/** Returns the rows of the entries of a mirror. */
function mirrorRows(entries: readonly MirrorEntry<unknown, unknown>[], pass: number): SqlRow[] {
  return entries.map(({ id, ref, hash, item, detail }) => {
    const [data, details] = [JSON.stringify(item), JSON.stringify(detail) ?? null];
    return { id: checkText(id), ref, hash, pass, data, detail: details };
  });
}

/** Returns the rows of the items of a pull, of several ones with the same ID the last one. */
function pullRows(store: string, { items, ids }: SavedBatch): SqlRow[] {
  // has no slash, so that the first one of a key ends it
  const prefix = store.replaceAll("%", "%25").replaceAll("/", "%2F");
  const rows = ids.map((ref, index) => {
    const id = checkText(`${prefix}/${ref}`);
    return { id, ref, hash: "", pass: 0, data: JSON.stringify(items[index]), detail: null };
  });
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Rejects a text that a database would save as another one: two keys could become one. */
function checkText(text: string): string {
  if (text.isWellFormed()) return text;
  throw new MirrorError(`the text ${JSON.stringify(text)} has half of a character, and cannot be a key`);
}

/** The error of a sink whose saved state is not the one that the job has read. */
function otherProgram({ rows }: SqlTables, store?: string): MirrorError {
  const what = store === undefined ? "writes to" : `pulls ${store} into`;
  return new MirrorError(`another program ${what} the table ${rows.replaceAll('"', "")}`);
}
