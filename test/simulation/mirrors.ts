/** Mirrors a list into rows as a program does, run after run, and compares the rows with the list. */
import {
  type FleetClient,
  mirror,
  type MirrorPage,
  type MirrorSink,
  type StoreClient,
} from "../../src/index.ts";
import { endOf, logEnding, planAbort } from "./calls.ts";
import { createClient, ProgramError, type SimulatedWorld } from "./client.ts";
import { callHeader, type Exchange } from "./observer.ts";
import { type BegunStep, beginStep, judge } from "./rules.ts";
import type { MirrorRun, MirrorStep } from "./scenario.ts";
import { targetOf } from "./targets.ts";

interface Row {
  readonly item: object;
  readonly hash: string;
  pass: number;
}

/** The program's database. */
interface Database {
  readonly rows: Map<string, Row>;
  state: string | undefined;
  /** The numbers of the passes that were saved. */
  readonly passes: Set<number>;
  /** The last run ended without an error: the next one begins with the first page. */
  isWhole: boolean;
}

const killed = new ProgramError("the program was killed");

export async function runMirror(
  world: SimulatedWorld,
  client: object,
  step: MirrorStep,
  name: string,
): Promise<void> {
  const database: Database = { rows: new Map(), state: undefined, passes: new Set(), isWhole: true };
  let current = client;
  const begun = beginStep(world, step, name);
  for (const [number, run] of step.runs.entries()) {
    for (let gone = 0; gone < (run.gone ?? 0); gone += 1)
      world.service.change({ kind: "remove", list: listOf(step), place: 0.99 }, new URL("http://none"));
    const call = `${name}.${number}`;
    const soFar = { ...step, runs: step.runs.slice(0, number + 1) };
    const runs = [mirrorOnce(world, current, { ...begun, step: soFar }, call, database)];
    if (run.twice === true)
      runs.push(mirrorOnce(world, createClient(world), { ...begun, step: soFar }, `${call}x`, database));
    await Promise.all(runs);
    current = createClient(world);
  }
}

function listOf({ method }: MirrorStep): string {
  return method.split(".")[0] ?? "";
}

/** One run, with the entries of the service that it has to find. */
async function mirrorOnce(
  world: SimulatedWorld,
  client: object,
  begun: BegunStep & { readonly step: MirrorStep },
  name: string,
  database: Database,
): Promise<void> {
  const { observer, service } = world;
  const { step } = begun;
  const run = step.runs.at(-1) ?? {};
  const record = observer.start(name, { repeatable: true, parallel: 1, isWalk: true });
  const target = targetOf({ method: step.method, path: [], query: {} }, service.readings, world.scenario.api);
  const truth = service.follow(target);
  const before = new Map(database.rows);
  const changes = service.changes.length;
  const abort = planAbort(world, step.abort);
  const check = (pass: number): void => {
    const own = observer.exchanges.filter(({ call }) => call === name);
    for (const problem of checkRemoval(pass, database, own)) observer.violate(`${name} ${problem}`);
  };
  const ending = await endOf(
    open(client, step, sinkOf(database, run, check), {
      headers: { [callHeader]: name },
      signal: abort.signal,
    }),
  );
  service.release(truth);
  observer.finish(record);
  const error = "error" in ending && ending.error !== killed ? ending.error : undefined;
  const items = [...database.rows.values()].map(({ item }) => item);
  const problems = [];
  const { isWhole } = database;
  const isDone = !("error" in ending);
  database.isWhole = isDone;
  const lost = [...before].filter(([id, { item }]) => !database.rows.has(id) && truth.has(item));
  if (lost.length > 0) problems.push(`deleted what exists: ${lost.map(([id]) => id).join(", ")}`);
  if (isDone) {
    const { isClean } = ending.value as { isClean: boolean };
    // entries that were created during an unfinished pass may come with the next one
    const missing = isWhole || isClean ? truth.missing(items, true) : [];
    if (missing.length > 0) problems.push(`mirrored too little: ${missing.join(", ")}`);
    const isQuiet = service.changes.length === changes && isClean && isWhole;
    const old = isQuiet ? truth.unknown(items) : [];
    if (old.length > 0) problems.push(`left what is not in the list: ${old.join(", ")}`);
  }
  observer.note(`end ${name} with ${items.length} rows`);
  logEnding(observer, name, ending);
  observer.log(JSON.stringify([...database.rows]));
  // an unfinished pass begins where the run before it was
  judge(
    world,
    begun,
    problems.map((problem) => `${name} ${problem}`),
    error,
  );
}

function open(client: object, step: MirrorStep, sink: MirrorSink<object>, options: object): Promise<unknown> {
  const run = step.runs.at(-1) ?? {};
  const size = run.limit ?? step.limit;
  const limit = size === undefined ? {} : { limit: size };
  if (step.method === "stores.list") {
    const extra = run.other === true ? { extra: { region: "north" } } : {};
    const { stores } = client as StoreClient;
    const details = ({ externalId }: { externalId: string | null }): Promise<object> =>
      stores.get(externalId ?? "", options);
    return mirror(stores.list({ ...limit, ...extra }, options), sink, run.looks === true ? { details } : {});
  }
  const { vehicles } = client as FleetClient;
  const list = vehicles.list(
    { ...limit, ...(run.other === true ? { extra: { group: "north" } } : {}) },
    options,
  );
  const details = run.details === true ? { details: (item: object) => Promise.resolve(item) } : {};
  return mirror(list, sink as MirrorSink<never>, details);
}

/** Each transaction is made as a whole or not at all, unless the scenario says otherwise. */
function sinkOf(database: Database, { kill }: MirrorRun, check: (pass: number) => void): MirrorSink<object> {
  const { rows } = database;
  let count = 0;
  const transact = (state: string, commit: () => void): void => {
    count += 1;
    if (kill?.at === count && kill.saved === false) throw killed;
    if (kill?.at === count && kill.saved === "unmarked") for (const row of rows.values()) row.pass = 0;
    else commit();
    database.state = state;
    if (kill?.at === count) throw killed;
  };
  return {
    load: () => database.state,
    find: (ids) => new Map([...rows].filter(([id]) => ids.includes(id))),
    save: ({ entries, seen, pass, state }: MirrorPage<object>) =>
      transact(state, () => {
        database.passes.add(pass);
        for (const { id, item, hash } of entries) rows.set(id, { item, hash, pass });
        for (const id of seen) Object.assign(rows.get(id) ?? {}, { pass });
      }),
    countUnseen: (pass) => [...rows.values()].filter((row) => row.pass < pass).length,
    remove: (pass, state) =>
      transact(state, () => {
        check(pass);
        for (const [id, row] of rows) if (row.pass < pass) rows.delete(id);
      }),
  };
}

/** Only what two passes have missed is deleted, and only if no page of the last one shows a change of the list. */
function checkRemoval(pass: number, { passes }: Database, exchanges: readonly Exchange[]): string[] {
  const [, last = 0] = [...passes].toSorted((one, other) => other - one);
  const problems = pass > last ? ["deletes what only one pass has missed"] : [];
  const pages = exchanges.flatMap(numberedPageOf);
  const own = pages.slice(pages.findLastIndex(({ pagination }) => pagination.currentPage === 1));
  const [first] = own;
  if (first === undefined || first.pagination.currentPage !== 1) return problems; // the pass began in an earlier run
  const { totalCount } = first.pagination;
  const isSteady = own.every(
    ({ pagination }) =>
      pagination.totalCount === totalCount &&
      pagination.hasNextPage === pagination.currentPage < pagination.totalPages &&
      pagination.hasPreviousPage === pagination.currentPage > 1,
  );
  const ids = own.flatMap(({ data }) => data.map(({ id }) => id));
  if (!isSteady || new Set(ids).size !== totalCount) problems.push("deletes although the list changed");
  return problems;
}

interface NumberedPage {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: {
    readonly currentPage: number;
    readonly totalCount: number;
    readonly totalPages: number;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

/** A page of vehicles that the client was given; none for another response. */
function numberedPageOf({ hasResponse, status, response }: Exchange): NumberedPage[] {
  if (!hasResponse || status !== 200 || !response.includes('"pagination"')) return [];
  const { data, meta } = JSON.parse(response.slice("200 whole ".length)) as {
    readonly data: NumberedPage["data"];
    readonly meta: { readonly pagination: NumberedPage["pagination"] };
  };
  return [{ data, pagination: meta.pagination }];
}
