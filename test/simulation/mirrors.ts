/** Mirrors a list into rows as a program does, run after run, and compares the rows with the list. */
import {
  type FleetClient,
  mirror,
  type MirrorPage,
  type MirrorSink,
  type StoreClient,
} from "../../src/index.ts";
import { endOf, planAbort } from "./calls.ts";
import { createClient, ProgramError, type SimulatedWorld } from "./client.ts";
import { callHeader } from "./observer.ts";
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
  const database: Database = { rows: new Map(), state: undefined, isWhole: true };
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
  const ending = await endOf(
    open(client, step, sinkOf(database, run), { headers: { [callHeader]: name }, signal: abort.signal }),
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
  const limit = step.limit === undefined ? {} : { limit: step.limit };
  if (step.method === "stores.list") {
    const extra = run.other === true ? { extra: { region: "north" } } : {};
    return mirror((client as StoreClient).stores.list({ ...limit, ...extra }, options), sink);
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
function sinkOf(database: Database, { kill }: MirrorRun): MirrorSink<object> {
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
        for (const { id, item, hash } of entries) rows.set(id, { item, hash, pass });
        for (const id of seen) Object.assign(rows.get(id) ?? {}, { pass });
      }),
    countUnseen: (pass) => [...rows.values()].filter((row) => row.pass < pass).length,
    remove: (pass, state) =>
      transact(state, () => {
        for (const [id, row] of rows) if (row.pass < pass) rows.delete(id);
      }),
  };
}
