/** Walks over a list as a program does, and checks that each item comes exactly once or an error says why not. */
import { InvalidRequestError, PaginationError } from "../../src/index.ts";
import { checkError, type PlannedAbort, planAbort } from "./calls.ts";
import { createClient, ProgramError, type SimulatedWorld } from "./client.ts";
import { callHeader } from "./observer.ts";
import type { WalkStep } from "./scenario.ts";
import { targetOf } from "./targets.ts";
import type { Truth } from "./truth.ts";

interface Page {
  readonly items: readonly unknown[];
  readonly resume: string | null;
  readonly drift?: readonly unknown[];
  readonly raw: object;
}

/** Both kinds of lists, as far as a program uses them here. */
interface AnyList {
  pages(options?: object): AsyncIterable<Page>;
  items(options?: object): AsyncIterable<unknown>;
  take(count: number): Promise<unknown[]>;
}

type Lists = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => AnyList>>>>;

/** The progress of a walk. */
interface Progress {
  readonly delivered: unknown[];
  /** The walk came to its end without an error. */
  complete: boolean;
  /** The client said that the list changed. */
  isDriftReported: boolean;
  token: string | undefined;
  /** The body of the last page. */
  body: string;
  pages: number;
}

const cursorLists = new Set(["stores.list", "protocols.list", "photos.list"]);

/** A stop that the program makes by an exception. */
const stopped = new ProgramError("the program stopped its loop");

export async function runWalk(
  world: SimulatedWorld,
  client: object,
  step: WalkStep,
  name: string,
): Promise<void> {
  const { observer, service, clock } = world;
  const parallel = step.by === "array" ? 1 : Math.max(1, step.ahead ?? 1);
  const record = observer.start(name, { repeatable: true, parallel, isWalk: true });
  const abort = planAbort(world, step.abort);
  const truth = service.follow(targetOf(step, service.readings, world.scenario.api));
  const progress: Progress = {
    delivered: [],
    complete: false,
    isDriftReported: false,
    token: undefined,
    body: "",
    pages: 0,
  };
  try {
    await walkInPieces(world, client, step, name, abort, progress);
  } catch (error) {
    if (error !== stopped) checkError(world, name, error);
    if (error instanceof PaginationError && isPlain(world, step, name))
      observer.violate(`${name} rejected without a reason: ${error.reason}`);
  }
  service.release(truth);
  observer.finish(record);
  observer.note(`end ${name} with ${progress.delivered.length} items`);
  // the items of a page that has arrived are available, and the program takes its time for each
  const latest = (abort.at ?? Infinity) + (step.pause ?? 0) * (step.by === "items" ? 100 : 1);
  if (clock.now > latest) observer.violate(`${name} ended ${clock.now - latest} ms after its abort`);
  progress.isDriftReported ||= world.drifted.has(operations[step.method] ?? "");
  checkItems(world, step, name, truth, progress);
}

/** Nothing makes the list of protocols ambiguous: every strategy that may page has to read all of it. */
function isPlain({ scenario, service, observer }: SimulatedWorld, step: WalkStep, name: string): boolean {
  const { changes, world, client } = scenario;
  const isFaulty = observer.exchanges.some(({ call, fault }) => call === name && fault !== undefined);
  const isQuiet = !isFaulty && Object.keys(changes).length === 0;
  const isWide = world.spacing >= 1000 || (world.spacing >= 1 && Number(step.query["limit"] ?? 100) >= 4);
  const isDistinct = isWide && !world.pairs && service.readings["protocols.id-property"] !== "anonymous";
  const isComplete = client.strategy === undefined || client.strategy === "window";
  return (
    step.method === "protocols.list" && step.changed === undefined && isQuiet && isDistinct && isComplete
  );
}

/** Runs the walk. After each of `kills` another client continues with the last token. */
async function walkInPieces(
  world: SimulatedWorld,
  client: object,
  step: WalkStep,
  name: string,
  abort: PlannedAbort,
  progress: Progress,
): Promise<void> {
  let current = client;
  for (const kill of step.kills ?? []) {
    const isKilled = await walkOnce(world, current, step, name, abort, progress, kill);
    if (!isKilled) return;
    current = createClient(world);
    world.observer.note(`resume ${name}`);
    world.network.rewind(name, progress.body);
  }
  if (step.changed !== undefined && progress.token !== undefined)
    await refuseChanged(world, current, step, name, abort, progress);
  else await walkOnce(world, current, step, name, abort, progress, Infinity);
}

/** A token of another query has to be refused before anything is sent. */
async function refuseChanged(
  world: SimulatedWorld,
  client: object,
  step: WalkStep,
  name: string,
  abort: PlannedAbort,
  progress: Progress,
): Promise<void> {
  const changed = { ...step, query: { ...step.query, ...step.changed } };
  const other: Progress = { ...progress, delivered: [] };
  const sent = world.observer.calls.get(name)?.sent;
  try {
    await walkOnce(world, client, changed, name, abort, other, Infinity);
  } catch (error) {
    if (error instanceof InvalidRequestError && world.observer.calls.get(name)?.sent === sent) throw error;
    if (abort.at !== undefined) throw error;
  }
  world.observer.violate(`${name} continued with the token of another query`);
}

/** Walks until the end, a stop or the kill. Returns whether it was killed. */
async function walkOnce(
  world: SimulatedWorld,
  client: object,
  step: WalkStep,
  name: string,
  { signal }: PlannedAbort,
  progress: Progress,
  kill: number,
): Promise<boolean> {
  const list = open(client, step, progress.token, { headers: { [callHeader]: name }, signal });
  const option = cursorLists.has(step.method) ? "prefetch" : "concurrency";
  const ahead = step.ahead === undefined ? undefined : { [option]: step.ahead };
  if (step.by === "array") {
    const limit = step.stop?.after ?? 1000;
    progress.delivered.push(...(await list.take(limit)));
    progress.complete = step.stop === undefined;
    return false;
  }
  let count = 0;
  const isDone = async (): Promise<boolean> => {
    count += 1;
    if (step.pause !== undefined) await world.clock.sleep(step.pause);
    if (count < (step.stop?.after ?? Infinity)) return false;
    if (step.stop?.how === "throw") throw stopped;
    return true;
  };
  if (step.by === "items") {
    for await (const item of list.items(ahead)) {
      progress.delivered.push(item);
      if (await isDone()) return false;
    }
    progress.complete = true;
    return false;
  }
  for await (const page of list.pages(ahead)) {
    takePage(world, name, page, progress);
    if (await isDone()) return false;
    if (count >= kill && page.resume !== null) return true;
  }
  progress.complete = true;
  return false;
}

function takePage({ observer, secrets }: SimulatedWorld, name: string, page: Page, progress: Progress): void {
  progress.delivered.push(...page.items);
  progress.pages += 1;
  progress.token = page.resume ?? undefined;
  progress.body = JSON.stringify(page.raw);
  progress.isDriftReported ||= (page.drift?.length ?? 0) > 0;
  observer.note(`${name} page ${progress.pages} with ${page.items.length} items`);
  if (page.resume !== null) secrets.text(`a token of ${name}`, page.resume);
}

function open(
  client: object,
  { method, path, query }: WalkStep,
  resume: string | undefined,
  options: object,
): AnyList {
  const [resource = "", verb = ""] = method.split(".");
  const target = (client as Lists)[resource]; // both clients are made of resources with methods
  const run = target?.[verb];
  if (run === undefined) throw new Error(`There is no list ${method}`);
  return run.call(target, ...path, resume === undefined ? query : { ...query, resume }, options);
}

function checkItems(
  { observer, service, scenario }: SimulatedWorld,
  step: WalkStep,
  name: string,
  truth: Truth,
  { delivered, complete, isDriftReported }: Progress,
): void {
  if (!truth.isKnown) {
    if (complete) observer.violate(`${name} ended without an error, and the service gives no such list`);
    return;
  }
  const isNumbered = scenario.api === "fleet";
  const isChanged = truth.added || truth.removed;
  // the drift of a numbered list is reported, but only `verify` detects one item less and one more between two pages
  const isUnseen =
    truth.added && truth.removed && (step.query["verify"] !== true || step.kills !== undefined);
  if (isNumbered && isChanged && (isDriftReported || isUnseen)) return;
  // the filters of another walk change what this one sees, and drift says so
  const isMixed = service.readings["lists.filters-across-pages"] === "remembered";
  if (isNumbered && isMixed && isDriftReported) return;
  // a list that changed during the walk may repeat items before the walk notices and ends with an error
  const isReported = !complete && isChanged;
  const unexpected = isReported ? [] : truth.unexpected(delivered);
  if (unexpected.length > 0)
    observer.violate(`${name} ${step.method} delivered too much: ${unexpected.join(", ")}`);
  // a client whose `identify` returns one value for two protocols counts them as one
  const isOne = service.readings["protocols.equal-summaries"] === "one" || scenario.client.identify === true;
  // a server that continues at the next greater ID passes over the stores without ID behind a deleted one: see the gap
  const isSkipped =
    step.method === "stores.list" &&
    truth.removed &&
    scenario.world.unnamed > 0 &&
    service.readings["stores.null-cursor"] !== "last-page" &&
    service.readings["stores.unknown-cursor"] === "next-greater";
  const missing = complete && !isSkipped ? truth.missing(delivered, isOne) : [];
  if (missing.length > 0)
    observer.violate(`${name} ${step.method} left out without an error: ${missing.join(", ")}`);
}

const operations: Readonly<Record<string, string>> = {
  "vehicles.list": "listVehicles",
  "vehicleGroups.list": "listVehicleGroups",
  "vehicleFields.list": "listVehicleFields",
  "vehicleFields.listVehicles": "listVehicleFieldVehicles",
  "inspections.list": "listInspections",
  "inspectionTemplates.list": "listInspectionTemplates",
  "damages.list": "listDamages",
  "driverAssignments.list": "listDriverAssignments",
};
