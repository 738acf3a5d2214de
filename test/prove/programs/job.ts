import type { TaskInput } from "../../../src/prove/index.ts";

/** The input of every program of the scoreboard, in code and as a process. */
export interface Job {
  readonly task: TaskInput;
  readonly storeUrl: string;
  readonly fleetUrl: string;
  /** Returns the present token of the store API. */
  readonly readToken: () => string;
  /** Returns the present key of the fleet API. */
  readonly readKey: () => string;
  readonly fetch: typeof globalThis.fetch;
  /** Takes copied rows. */
  readonly deliver: (rows: readonly object[]) => void;
  /** Keeps a value from one run to the next. */
  readonly memory: { get(name: string): unknown; set(name: string, value: unknown): void };
  /** Runs the work while no other run does; fails if another run has begun and not ended. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>;
}

/** The folder of the generated clients, which the scoreboard names. */
export function clientsFolder(): string {
  const folder = process.env["PROVE_CLIENTS"];
  if (folder === undefined) throw new Error("PROVE_CLIENTS is missing: npm run prove:scoreboard sets it");
  return folder;
}

/** A row of either API. */
export type Row = Record<string, unknown>;

/** Returns the rows of a property of the task. */
export function rowsIn(job: Job, name: string): Row[] {
  return job.task.data[name] as Row[];
}

/** Returns a string of the task. */
export function textIn(job: Job, name: string): string {
  return job.task.data[name] as string;
}

const DAY = 86_400_000;

/** Returns a range that is a day wider at both ends, because the contract does not say which ends belong to it. */
export function widerRange(job: Job): { from: string; to: string } {
  const shift = (name: string, days: number) =>
    new Date(Date.parse(textIn(job, name)) + days * DAY).toISOString();
  return { from: shift("from", -1), to: shift("to", 1) };
}

/** Selects the rows that were created in the range of the task. */
export function selectRange(job: Job, rows: readonly Row[]): Row[] {
  const [from, to] = [Date.parse(textIn(job, "from")), Date.parse(textIn(job, "to"))];
  return rows.filter((row) => {
    const text = String(row["createdAt"]);
    if (!/(Z|[+-]\d\d:\d\d)$/.test(text)) throw new Error(`a time without offset: ${text}`);
    const time = Date.parse(text);
    return time >= from && time < to;
  });
}

/** Fails if a row lacks a property that the copy needs. */
export function requireColumns(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  for (const row of rows)
    for (const column of columns) if (row[column] === undefined) throw new Error(`a row without ${column}`);
  return rows;
}

/** Returns the fill rates of a report, or fails if its rows or its unit cannot be known. */
export function readRates(report: unknown): Row[] {
  const { groups } = (report ?? {}) as { groups?: Row[] };
  if (!Array.isArray(groups)) throw new Error("a report without groups");
  if (groups.every(({ fillRate }) => Number(fillRate) <= 1))
    throw new Error("rates that look like fractions");
  return groups;
}

/** Fails if an entity has changed between two reads, so that the change of another writer is kept. */
export function requireUnchanged(before: Row, again: Row): void {
  if (JSON.stringify(before) !== JSON.stringify(again))
    throw new Error(`${String(again["id"])} is being changed`);
}

/** Creates what neither the list nor an earlier run of this program knows: a list may lag behind. */
export async function createOnce(
  { memory }: Job,
  { wanted, known, key }: { wanted: readonly Row[]; known: readonly object[]; key: string },
  create: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (const row of wanted) {
    const name = `created ${String(row[key])}`;
    if (memory.get(name) === true || known.some((other) => (other as Row)[key] === row[key])) continue;
    await create(row);
    memory.set(name, true);
  }
}

/** Fails if the service has stored a store under another ID. */
export function requireSameId(externalId: string, store: unknown): void {
  const stored = (store as Row | undefined)?.["externalId"];
  if (stored !== externalId) throw new Error(`store ${externalId} was stored as ${String(stored)}`);
}

/** Returns each row once. */
export function uniqueById(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row["id"], row])).values()];
}

/** Returns the ID of the damage to delete; a later run gets the same one. */
export function oldestDamage(job: Job, damages: readonly Row[]): string {
  const chosen = job.memory.get("oldest");
  if (typeof chosen === "string") return chosen;
  const time = (row: Row) => Date.parse(String(row["reportedAt"]));
  const [oldest] = damages.toSorted((a, b) => time(a) - time(b));
  const id = String(oldest?.["id"]);
  job.memory.set("oldest", id);
  return id;
}
