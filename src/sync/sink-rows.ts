// What all sinks share: the names of their tables, and the keys and values of their rows.
import { ConfigurationError } from "./clients.ts";
import { MirrorError } from "./errors.ts";
import type { MirrorEntry, SavedBatch } from "./sink.ts";

/** The quoted names of the tables of a sink. The first one is that of the user. */
export interface SinkTables {
  rows: string;
  /** The last pass that has seen an entry. It is not in the row, because the user's triggers are about changes. */
  seen: string;
  state: string;
  records: string;
}

/** Reads the name of a table: `vehicles`, `fleet.vehicles` in a schema, or `"a.b"`. */
export function readTables(label: string, name: string, maxBytes = Infinity): SinkTables {
  const part = '("(?:[^"]|"")+"|[^".][^.]*)';
  const [, schema, table] = new RegExp(`^(?:${part}\\.)?${part}$`).exec(name) ?? [];
  if (table === undefined || name.includes("\0"))
    throw new ConfigurationError(
      `${label}: the table must be a name, such as vehicles, fleet.vehicles for a schema, or "a.b" with a dot`,
    );
  const prefix = schema === undefined ? "" : `${quote(unquote(schema))}.`;
  const [rows, seen, state, records] = ["", "_seen", "_state", "_records"].map((suffix) => {
    const whole = unquote(table) + suffix;
    if (new TextEncoder().encode(whole).length > maxBytes)
      throw new ConfigurationError(`${label}: the table ${whole} has a name of more than ${maxBytes} bytes`);
    return prefix + quote(whole);
  }) as [string, string, string, string];
  return { rows, seen, state, records };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** The values of a row. */
export interface SinkRow {
  id: string;
  ref: string | null;
  hash: string;
  /** The pass that saved it; 0 for an item of a pull. */
  pass: number;
  data: string;
  detail: string | null;
}

/** The name under which a mirror saves its state. */
export const mirrorState = "mirror";

/** Returns the name under which the state of a store is saved: its own, unless the mirror has that one. */
export function stateOf(store: string): string {
  return checkText(/^mirror\/*$/.test(store) ? `${store}/` : store);
}

/** Returns the rows of the entries of a mirror. */
export function mirrorRows(entries: readonly MirrorEntry<unknown, unknown>[], pass: number): SinkRow[] {
  return entries.map(({ id, ref, hash, item, detail }) => {
    const [data, details] = [JSON.stringify(item), JSON.stringify(detail) ?? null];
    return { id: checkText(id), ref, hash, pass, data, detail: details };
  });
}

/** The hash of a row whose key has an escaped store: another store may have this name. */
const escaped = "escaped";

/** Returns the rows of the items of a pull, of several ones with the same ID the last one. */
export function pullRows(store: string, { items, ids }: SavedBatch): SinkRow[] {
  // has no slash, so that the first one of a key ends it
  const prefix = store.replaceAll("%", "%25").replaceAll("/", "%2F");
  const rows = ids.map((ref, index) => {
    const id = checkText(`${prefix}/${ref}`);
    const hash = prefix === store ? "" : escaped;
    return { id, ref, hash, pass: 0, data: JSON.stringify(items[index]), detail: null };
  });
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Rejects a text that a database would save as another one: two keys could become one. */
export function checkText(text: string): string {
  if (text.isWellFormed()) return text;
  throw new MirrorError(`the text ${JSON.stringify(text)} has half of a character, and cannot be a key`);
}

/** The error of a sink whose saved state is not the one that the job has read. */
export function otherProgram({ rows }: SinkTables, store?: string): MirrorError {
  const what = store === undefined ? "writes to" : `pulls ${store} into`;
  return new MirrorError(`another program ${what} the table ${rows.replaceAll('"', "")}`);
}
