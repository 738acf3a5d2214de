/** Pulls what is new as a program does, saves it, and checks that each item is saved, and in one form only once. */
import { InvalidRequestError, type PullBatch, type PullOptions } from "../../src/index.ts";
import { checkError, type PlannedAbort, planAbort } from "./calls.ts";
import { createClient, identifyingQuery, type SimulatedWorld } from "./client.ts";
import { callHeader, type Exchange } from "./observer.ts";
import { checkBatches, checkRanges } from "./pull-model.ts";
import { beginStep, judge } from "./rules.ts";
import type { PullRun, PullStep } from "./scenario.ts";
import { firstInstant, storeId } from "./store-data.ts";
import { tamperBy } from "./tamper.ts";
import { targetOf } from "./targets.ts";
import { keyOf, type Truth } from "./truth.ts";

type Pull = (store: string, query: PullOptions, options: object) => AsyncIterable<PullBatch<object>>;
type PulledLists = Readonly<Record<string, { readonly pull: Pull }>>;

/** The rows in the program's database. */
interface Saved {
  state: string | undefined;
  readonly items: object[];
  /** The error that ended a run last. */
  error: unknown;
  /** The end of the last finished run, and of one that was not finished. */
  before: number | undefined;
  unfinished: number | undefined;
}

/** The parts of a state that tell what the runs have read. */
interface SavedState {
  readonly run: { readonly end: number } | null;
  readonly ends: readonly number[];
}

/** The time before `since` that a pull reads for certain. */
const leastOverlap = 1000;

export async function runPull(
  world: SimulatedWorld,
  client: object,
  step: PullStep,
  name: string,
): Promise<void> {
  const { service } = world;
  const begun = beginStep(world, step, name);
  const abort = planAbort(world, step.abort);
  const follow = (from: number, to: number): Truth => {
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const query = { ...step.query, ...range };
    const { readings } = service;
    return service.follow(targetOf({ method: step.method, path: [storeId(0)], query }, readings, "store"));
  };
  const all = follow(firstInstant - 86_400_000, firstInstant + 86_400_000 * 30);
  // the end of a range that a run has read decides which items it had to find
  const required = new Map(step.runs.map(({ until }) => [until, follow(step.since - leastOverlap, until)]));
  const saved: Saved = {
    state: undefined,
    items: [],
    error: undefined,
    before: undefined,
    unfinished: undefined,
  };
  let end: number | undefined;
  for (const [number, run] of step.runs.entries()) {
    const piece = { world, step, name: `${name}.${number}`, abort, saved };
    const reached = await pullOnce(piece, number === 0 ? client : createClient(world), run);
    if (reached !== undefined) end = Math.max(end ?? -Infinity, reached);
  }
  for (const truth of [all, ...required.values()]) service.release(truth);
  const problems = compareSaved(step, saved, all, end === undefined ? undefined : required.get(end));
  judge(world, begun, problems, saved.error);
}

interface Piece {
  readonly world: SimulatedWorld;
  readonly step: PullStep;
  readonly name: string;
  readonly abort: PlannedAbort;
  readonly saved: Saved;
}

/** One run. Returns the end of the range that it read to the end; undefined if it was killed or failed. */
async function pullOnce(piece: Piece, client: object, run: PullRun): Promise<number | undefined> {
  const { world, name, abort, saved } = piece;
  const { observer, clock } = world;
  const record = observer.start(name, { repeatable: true, parallel: 1, isWalk: true });
  const begun = { ...saved, items: [...saved.items] };
  const batches: object[][] = [];
  let last: SavedState | undefined;
  let end: number | undefined;
  const tampered =
    saved.state === undefined || run.isTampered !== true ? undefined : tamperBy(world, saved.state);
  saved.state = tampered?.text ?? saved.state;
  const isOther = (run.other !== undefined || tampered !== undefined) && saved.state !== undefined;
  try {
    let count = 0;
    for await (const batch of openPull(piece, client, run)) {
      count += 1;
      batches.push(batch.items);
      observer.note(`${name} batch with ${batch.items.map(keyOf).join(" ")}`);
      observer.log(batch.state);
      const isKilled = count === run.kill?.after;
      if (!isKilled || run.kill.saved === true) last = JSON.parse(batch.state) as SavedState;
      if (!isKilled || run.kill.saved === true) save(piece, batch);
      else if (run.kill.saved === "state") saved.state = batch.state;
      if (isKilled) break;
      const { run: unfinished, ends } = JSON.parse(batch.state) as SavedState;
      if (unfinished === null) end = ends.at(-1);
    }
    if (count === 0 && run.kill === undefined) observer.violate(`${name} gave no state to save`);
  } catch (error) {
    end = undefined;
    saved.error = error;
    checkError(world, name, error);
    if (isOther && error instanceof InvalidRequestError && record.sent === 0) {
      const isEarlier = typeof run.other === "object" && "since" in run.other;
      const { says } = tampered ?? {
        says: isEarlier ? "is before that of the first run" : "belongs to a list with another",
      };
      if (!error.message.includes(says)) observer.violate(`${name} does not say "${says}": ${error.message}`);
      observer.finish(record);
      return undefined;
    }
  }
  observer.finish(record);
  if (last !== undefined) {
    saved.before = last.ends.at(-1);
    saved.unfinished = last.run?.end;
  }
  const isComplete = end !== undefined;
  const exchanges = observer.exchanges.filter(({ call }) => call === name);
  const pulled = { ...begun, saved: begun.items, run, exchanges, batches, isComplete };
  if (isPredictable(piece)) {
    for (const problem of [
      ...checkRanges(piece.step, pulled),
      ...(isPaged(piece, exchanges) ? checkBatches(pulled) : []),
    ])
      observer.violate(`${name} ${problem}`);
  }
  if (isOther && abort.at === undefined) observer.violate(`${name} continued with the state of another list`);
  observer.note(`end ${name} with ${saved.items.length} items`);
  if (abort.at !== undefined && record.startedAt <= abort.at && clock.now > abort.at)
    observer.violate(`${name} ended ${clock.now - abort.at} ms after its abort`);
  return end;
}

/** The clock does not go back, no state was changed, and items have IDs. */
function isPredictable({ world: { scenario, service, observer }, step: { runs }, saved }: Piece): boolean {
  const { world, client } = scenario;
  const { readings } = service;
  const isForward = runs.every(({ until }, index) => until >= (runs[index - 1]?.until ?? 0));
  const isSteady = runs.every(({ kill, isTampered }) => kill?.saved !== "state" && isTampered === undefined);
  const isPlain =
    (world.nameless ?? 0) === 0 &&
    client.precision !== "minute" &&
    world.date === undefined &&
    world.precision === undefined &&
    world.signed !== true;
  const hasIds = readings["protocols.id-property"] !== "anonymous" && client.identify === undefined;
  return !observer.isGarbled && isForward && isSteady && isPlain && hasIds && saved.error === undefined;
}

/** Each page of the service is a batch: the list is read by its cursor. */
function isPaged(
  { world: { scenario, service, network }, step: { method } }: Piece,
  exchanges: readonly Exchange[],
): boolean {
  const { strategy } = scenario.client;
  const { readings } = service;
  const isCursor =
    method === "photos.list"
      ? readings["photos.cursor-source"] !== "photo-id"
      : strategy !== "window" && strategy !== "single" && readings["protocols.next-page"] === "cursor";
  const hasTwins = scenario.world.pairs || readings["protocols.equal-summaries"] === "one";
  return (
    isCursor && !hasTwins && network.changes === 0 && exchanges.every(({ fault }) => fault === undefined)
  );
}

function openPull(
  { world, step, name, abort, saved }: Piece,
  client: object,
  run: PullRun,
): AsyncIterable<PullBatch<object>> {
  const [resource = ""] = step.method.split(".");
  const lists = client as PulledLists; // only histories of stores have pulls
  // without a state, no run knows that another one read another list
  const other = saved.state === undefined ? undefined : run.other;
  const options = {
    state: saved.state,
    since: new Date(step.since),
    allowedLateness: step.lateness,
    until: () => new Date(run.until),
    limit: step.limit,
    ...identifyingQuery(world),
    ...step.query,
    ...(step.hasFingerprint === true && { fingerprint: withoutSignature }),
    ...(typeof other === "object" ? other : {}),
  };
  const { pull } = lists[resource] as PulledLists[string];
  return pull.call(lists[resource], storeId(other === true ? 1 : 0), options, {
    signal: abort.signal,
    headers: { [callHeader]: name },
  });
}

/** The content of an item without what differs in each response. */
function withoutSignature(item: object): object {
  const text = JSON.stringify(item, (name, value: unknown) => (name === "signature" ? undefined : value));
  return JSON.parse(text) as object;
}

function save({ world, name, saved }: Piece, { items, state }: PullBatch<object>): void {
  saved.items.push(...items);
  saved.state = state;
  world.secrets.text(`the state of ${name}`, state);
}

/** Compares the items that were saved with those of the service. */
function compareSaved(
  { hasFingerprint }: PullStep,
  { items }: Saved,
  all: Truth,
  required: Truth | undefined,
): string[] {
  const problems = [];
  const contents = hasFingerprint === true ? items.map(withoutSignature) : items;
  const texts = contents.map((item) => JSON.stringify(item));
  const repeated = texts.filter((text, at) => texts.indexOf(text) !== at);
  if (repeated.length > 0) problems.push(`pulled items twice: ${repeated.join(", ")}`);
  const invented = all.unknown(items);
  if (invented.length > 0) problems.push(`pulled what the list never had: ${invented.join(", ")}`);
  if (required === undefined) return problems;
  if (!required.isKnown) problems.push("ended without an error, and the service gives no such list");
  const missing = required.missing(items, true);
  if (missing.length > 0) problems.push(`pulled too little without an error: ${missing.join(", ")}`);
  return problems;
}
