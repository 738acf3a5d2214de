import type { DatabaseSync } from "node:sqlite";
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
  /** Opens the database that is kept from one run to the next. */
  readonly openDatabase: () => DatabaseSync;
  /** Runs the work while no other run does; fails if another run has begun and not ended. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>;
}

/** A row of either API. */
export type Row = Record<string, unknown>;

/** A range of times. */
interface Range {
  readonly from: string;
  readonly to: string;
}

type Rows = Promise<readonly object[]>;
type Change = (rows: Row[]) => Row[];

/** What the tasks need of both APIs: each client does it in its own way. Lists are read whole. */
export interface Api {
  stores(): Rows;
  protocols(externalId: string, range: Range): Rows;
  photos(externalId: string, range: Range): Rows;
  rates(range: Range): Promise<unknown>;
  vehicles(): Rows;
  damages(): Rows;
  inspections(): Rows;
  templates(isActive: boolean): Rows;
  rename(externalId: string, name: string): Promise<unknown>;
  create(externalId: string, store: Row): Promise<unknown>;
  changeContacts(externalId: string, change: Change): Promise<unknown>;
  changeExpositions(externalId: string, change: Change): Promise<unknown>;
  report(damage: Row): Promise<unknown>;
  submit(inspection: Row): Promise<unknown>;
  changeVehicle(id: string, changes: Row): Promise<unknown>;
  changeInspection(id: string, changes: Row): Promise<unknown>;
  deleteDamage(id: string): Promise<unknown>;
}

/** The data of all tasks; each task has some of it. */
interface Data extends Range {
  readonly columns: readonly string[];
  readonly externalId: string;
  readonly status?: string;
  readonly isActive?: boolean;
  readonly stores: readonly (Row & { externalId: string; name: string })[];
  readonly contact: Row;
  readonly expositions: readonly Row[];
  readonly expositionId: string;
  readonly label: string;
  readonly damages: readonly Row[];
  readonly inspections: readonly (Row & { id: string })[];
  readonly vehicles: readonly (Row & { id: string })[];
  readonly ids: readonly string[];
}

/** Does a task with the checks that the contract suggests. */
export async function runJob(job: Job, api: Api): Promise<void> {
  const { name, data } = job.task;
  const given = data as object as Data; // the task has what its name says
  if (!name.startsWith("copy-")) return job.exclusively(() => write(job, given, api));
  const rows = await read(name, given, api);
  for (const row of rows)
    for (const column of given.columns)
      if (row[column] === undefined) throw new Error(`a row without ${column}`);
  job.deliver(rows);
}

async function read(name: string, data: Data, api: Api): Promise<readonly Row[]> {
  const { externalId, from, to, status, isActive } = data;
  switch (name) {
    case "copy-stores":
      return rowsOf(api.stores());
    case "copy-protocols": {
      const rows = await rowsOf(api.protocols(externalId, widen(data)));
      return selectRange(data, rows).map((row) => ({ protocolId: row.id, ...row }));
    }
    case "copy-photos": {
      const rows = selectRange(data, await rowsOf(api.photos(externalId, widen(data))));
      return rows.filter((row) => row.status === (status ?? row.status));
    }
    case "copy-fill-rates":
      return ratesOf(await api.rates({ from, to }));
    case "copy-vehicles":
      return rowsOf(api.vehicles());
    case "copy-damages":
      return rowsOf(api.damages());
    default: {
      const lists = await Promise.all([true, false].map((active) => rowsOf(api.templates(active))));
      const unique = [...new Map(lists.flat().map((row) => [row.id, row])).values()];
      return unique.filter((row) => row.isActive === (isActive ?? row.isActive));
    }
  }
}

async function write(job: Job, data: Data, api: Api): Promise<void> {
  const { externalId, contact, expositions, expositionId, label } = data;
  switch (job.task.name) {
    case "change-stores":
      return each(data.stores, (store) => api.rename(store.externalId, store.name));
    case "create-stores":
      return each(data.stores, async ({ externalId: id, ...store }) => {
        const stored = ((await api.create(id, store)) as Row | undefined)?.externalId;
        if (stored !== id) throw new Error(`store ${id} was stored as ${String(stored)}`);
      });
    case "add-contact":
      await api.changeContacts(externalId, (all) =>
        all.some(({ name, phone }) => name === contact.name && phone === contact.phone)
          ? all
          : [...all, contact],
      );
      return;
    case "add-expositions":
      await api.changeExpositions(externalId, (all) => {
        const added = expositions.filter((one) => !all.some((known) => known.label === one.label));
        return added.length === 0 ? all : [...all, ...added];
      });
      return;
    case "change-exposition":
      await api.changeExpositions(externalId, (all) =>
        all.map((one) => (one.expositionId === expositionId ? { ...one, label } : one)),
      );
      return;
    case "report-damages":
      return createOnce(job, "description", data.damages, await rowsOf(api.damages()), api.report);
    case "submit-inspections":
      return createOnce(job, "notes", data.inspections, await rowsOf(api.inspections()), api.submit);
    case "change-vehicles":
      return each(data.vehicles, ({ id, ...changes }) => api.changeVehicle(id, changes));
    case "change-inspections":
      return each(data.inspections, ({ id, ...changes }) => api.changeInspection(id, changes));
    case "delete-damages":
      return each(data.ids, api.deleteDamage);
    default:
      await api.deleteDamage(await chooseOldest(job, api));
  }
}

/** Entities have named properties, and the tasks read them by the names that are data. */
async function rowsOf(list: Rows): Promise<readonly Row[]> {
  return (await list) as readonly Row[];
}

async function each<One>(all: readonly One[], act: (one: One) => Promise<unknown>): Promise<void> {
  for (const one of all) await act(one);
}

const DAY = 86_400_000;

/** Returns a range that is a day wider at both ends, because the contract does not say which ends belong to it. */
function widen({ from, to }: Range): Range {
  const shift = (time: string, days: number) => new Date(Date.parse(time) + days * DAY).toISOString();
  return { from: shift(from, -1), to: shift(to, 1) };
}

/** Selects the rows that were created in a range. */
function selectRange({ from, to }: Range, rows: readonly Row[]): Row[] {
  return rows.filter((row) => {
    const text = String(row.createdAt);
    if (!/(Z|[+-]\d\d:\d\d)$/.test(text)) throw new Error(`a time without offset: ${text}`);
    const time = Date.parse(text);
    return time >= Date.parse(from) && time < Date.parse(to);
  });
}

/** Returns the fill rates of a report, or fails if its rows or its unit cannot be known. */
function ratesOf(report: unknown): Row[] {
  const { groups } = (report ?? {}) as { groups?: Row[] };
  if (!Array.isArray(groups)) throw new Error("a report without groups");
  if (groups.every(({ fillRate }) => Number(fillRate) <= 1))
    throw new Error("rates that look like fractions");
  return groups;
}

/** Fails if an entity has changed between two reads, so that the change of another writer is kept. */
export function requireUnchanged(before: object, again: object): void {
  if (JSON.stringify(before) !== JSON.stringify(again)) throw new Error("an entity is being changed");
}

/** Creates what neither the list nor an earlier run of this program knows: a list may lag behind. */
async function createOnce(
  { memory }: Job,
  key: string,
  wanted: readonly Row[],
  known: readonly Row[],
  create: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (const row of wanted) {
    const name = `created ${String(row[key])}`;
    if (memory.get(name) === true || known.some((other) => other[key] === row[key])) continue;
    await create(row);
    memory.set(name, true);
  }
}

/** Returns the ID of the damage to delete; a later run gets the same one. */
async function chooseOldest({ memory }: Job, api: Api): Promise<string> {
  const chosen = memory.get("oldest");
  if (typeof chosen === "string") return chosen;
  const time = (row: Row) => Date.parse(String(row.reportedAt));
  const [oldest] = (await rowsOf(api.damages())).toSorted((a, b) => time(a) - time(b));
  const id = String(oldest?.id);
  memory.set("oldest", id);
  return id;
}
