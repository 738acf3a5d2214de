/** Walks over a list as a program does, and checks that each item comes exactly once or an error says why not. */
import { InvalidRequestError, PaginationError } from "../../src/index.ts";
import {
  checkDamage,
  checkError,
  checkRight,
  type PlannedAbort,
  planAbort,
  readWithResponse,
} from "./calls.ts";
import { createClient, identifyingQuery, ProgramError, type SimulatedWorld } from "./client.ts";
import { callHeader, foreignOrigin } from "./observer.ts";
import type { Fault, JsonObject, WalkStep } from "./scenario.ts";
import { beginStep, judge } from "./rules.ts";
import { tamperBy } from "./tamper.ts";
import { targetOf } from "./targets.ts";
import {
  checkAhead,
  checkCursors,
  checkEmptyPages,
  checkIdle,
  checkNumbers,
  checkPages,
  checkVerified,
  checkWindows,
  type GivenPage,
  type Piece,
} from "./walk-model.ts";
import { keyOf, type Truth } from "./truth.ts";

/** Both kinds of lists, as far as a program uses them here. */
interface AnyList extends Promise<GivenPage> {
  pages(options?: object): AsyncIterable<GivenPage>;
  items(options?: object): AsyncIterable<unknown>;
  take(count: number): Promise<unknown[]>;
  toArray(options: object): Promise<unknown[]>;
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
  /** The parts of the walk by different clients. */
  readonly pieces: Piece[];
}

const cursorLists = new Set(["stores.list", "protocols.list", "photos.list"]);

/** Base URLs at which no service is. */
const elsewhere = { store: foreignOrigin, fleet: `${foreignOrigin}/api/third-party/v1` } as const;

/** The text that a program puts into its query and its headers after it has made the list. */
const reused = "reused";

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
  const begun = beginStep(world, step, name);
  let failure: unknown;
  const abort = planAbort(world, step.abort);
  const truth = service.follow(targetOf(step, service.readings, world.scenario.api));
  const progress: Progress = {
    delivered: [],
    complete: false,
    isDriftReported: false,
    token: undefined,
    body: "",
    pages: 0,
    pieces: [],
  };
  try {
    await walkInPieces(world, client, step, name, abort, progress);
  } catch (error) {
    if (error !== stopped) checkError(world, name, error);
    if (error !== stopped) failure = error;
  }
  service.release(truth);
  observer.finish(record);
  if (observer.exchanges.some(({ call, request }) => call === reused || request.includes(reused)))
    observer.violate(`${name} sends what the program changed after its call`);
  if (progress.complete) checkDamage(observer, name);
  if (failure instanceof PaginationError) checkRight(observer, name, failure);
  observer.note(`end ${name} with ${progress.delivered.map(keyOf).join(" ")}`);
  // the items of a page that has arrived are available, and the program takes its time for each
  const latest = (abort.at ?? Infinity) + (step.pause ?? 0) * (step.by === "items" ? 100 : 1);
  if (clock.now > latest) observer.violate(`${name} ended ${clock.now - latest} ms after its abort`);
  progress.isDriftReported ||= world.drifted.has(operations[step.method] ?? "");
  checkTaken(world, name, step, progress);
  checkFirstPage(world, name, step);
  for (const problem of compareRequests(world, step, name, progress, failure))
    observer.violate(`${name} ${problem}`);
  const isDamaged = observer.exchanges.some(
    (one) => one.call === name && one.isDamaged && isDamage(one.fault),
  );
  const problems = isDamaged ? [] : compareItems(world, step, truth, progress);
  judge(world, { ...begun, list: truth }, problems, failure);
}

/** The world is as plain as possible, so that the number of requests of a walk is known. */
function isPlain(
  { observer, service, scenario }: SimulatedWorld,
  { query }: WalkStep,
  name: string,
): boolean {
  const { readings, world } = scenario;
  const isQuiet =
    service.changes.length === 0 && Object.keys(readings).length === 0 && world.cap === undefined;
  const own = observer.exchanges.filter(({ call }) => call === name);
  return isQuiet && query["verify"] !== true && own.every(({ fault }) => fault === undefined);
}

/** Compares the requests and the pages of a walk with those that follow from the responses. */
function compareRequests(
  world: SimulatedWorld,
  step: WalkStep,
  name: string,
  { pieces, complete, delivered }: Progress,
  failure: unknown,
): string[] {
  const { observer, scenario, service } = world;
  const { readings } = service;
  const exchanges = observer.exchanges.filter(({ call }) => call === name);
  // a list that is read again begins again, and a redirect leads elsewhere
  const isDirect = exchanges.every(({ fault }) => fault?.kind !== "redirect" && !isDamage(fault));
  const isOrdinary =
    isDirect &&
    step.awaited !== "again" &&
    [step.isTampered, step.changed, step.otherPath].every((other) => other === undefined);
  if (!isOrdinary || step.elsewhere === true || exchanges.length === 0) return [];
  const lacking = exchanges.find(({ request }) => !hasExtra(step, request));
  if (lacking !== undefined) return [`does not send its filter with #${lacking.number}`];
  const { extra, ...declared } = step.query;
  step = { ...step, query: { ...declared, ...(extra as JsonObject | undefined) } }; // an object of filters
  const isWhole = readings["lists.undocumented"] === "whole";
  const isNumbered = scenario.api === "fleet";
  const pages = pieces.flatMap((piece) => piece.pages);
  const hasIds =
    scenario.world.anonymous !== true &&
    scenario.world.twins !== true &&
    (scenario.world.nameless ?? 0) === 0 &&
    readings["protocols.id-property"] !== "anonymous";
  const hasTwins = scenario.world.pairs || scenario.world.spacing < 1 || scenario.world.coarse !== undefined;
  const isVerified = step.query["verify"] === true;
  const isReported = (step.query["onDrift"] ?? (step.by === "pages" ? "report" : "heal")) === "report";
  const problems = isVerified ? [] : checkPages(exchanges, pages, isNumbered && isReported);
  const isSequential = step.ahead === undefined;
  if (
    isVerified &&
    complete &&
    hasIds &&
    isSequential &&
    pieces.length === 1 &&
    !isWindowed(step, scenario, readings)
  )
    problems.push(...checkVerified(step, exchanges, delivered));
  if (cursorLists.has(step.method) && complete && !isWindowed(step, scenario, readings))
    problems.push(...checkEmptyPages(step, exchanges));
  if (isVerified) return problems;
  if (step.method === "vehicles.list" && hasIds && isSequential && !isWhole)
    problems.push(...checkNumbers(step, exchanges, pieces, complete));
  if (isNumbered && !isSequential && complete && pieces.length === 1 && isPlain(world, step, name))
    problems.push(...checkAhead(step, exchanges));
  const isReadInWindows = step.method === "protocols.list" && hasIds && !hasTwins;
  const hasWhole = step.rephrased === undefined && pieces.length === 1 && step.query["limit"] !== undefined;
  if (isReadInWindows && hasWhole) problems.push(...checkWindows(step, exchanges, scenario.client, complete));
  const isQuiet = service.changes.length === 0 && exchanges.every(({ fault }) => fault === undefined);
  if (
    isReadInWindows &&
    hasWhole &&
    hasIds &&
    isQuiet &&
    scenario.client.strategy === "window" &&
    step.abort === undefined
  )
    problems.push(...checkIdle(step, exchanges, scenario.client, failure));
  if (!isNumbered && !isWindowed(step, scenario, readings))
    problems.push(
      ...checkCursors(step, exchanges, pieces, !hasIds || hasTwins || service.changes.length > 0),
    );
  return problems;
}

/** Each request of a list has the filters of the program; that of a single store has no query. */
function hasExtra({ query }: WalkStep, request: string): boolean {
  const [, target = ""] = request.split(" ");
  const { searchParams } = new URL(target, "http://none");
  const filters = Object.entries((query["extra"] ?? {}) as JsonObject);
  return searchParams.size === 0 || filters.every(([name, value]) => searchParams.get(name) === value);
}

function isDamage(fault: Fault | undefined): boolean {
  return fault?.kind === "wrong" || fault?.kind === "property";
}

/** Whether a list is read in time ranges, or its cursor is not where its model has it. */
function isWindowed(
  { method }: WalkStep,
  { client: { strategy } }: SimulatedWorld["scenario"],
  readings: Readonly<Record<string, string>>,
): boolean {
  if (method === "photos.list") return readings["photos.cursor-source"] === "photo-id";
  return (
    method === "protocols.list" && (strategy !== "cursor" || readings["protocols.next-page"] !== "cursor")
  );
}

/** `take(n)` gives at most `n` items, and reads no page behind them. */
function checkTaken(world: SimulatedWorld, name: string, step: WalkStep, { delivered }: Progress): void {
  const { observer } = world;
  const { by, stop, query } = step;
  if (by !== "array" || stop === undefined) return;
  if (delivered.length > stop.after) observer.violate(`${name} takes ${delivered.length} items`);
  const sent = observer.calls.get(name)?.sent ?? 0;
  const isSent = query["from"] === undefined && sent > Math.ceil(stop.after / Number(query["limit"]));
  if (isSent && isPlain(world, step, name) && delivered.length === stop.after)
    observer.violate(`${name} sends ${sent} requests for ${stop.after} items`);
}

/** The first page of a list that is awaited and read is requested once. */
function checkFirstPage(world: SimulatedWorld, name: string, step: WalkStep): void {
  if (step.awaited === undefined || step.awaited === "again" || !isPlain(world, step, name)) return;
  const own = world.observer.exchanges.filter(({ call }) => call === name);
  const count = own.filter(({ request }) => request === own[0]?.request).length;
  if (count > 1) world.observer.violate(`${name} requests its first page ${count} times`);
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
    if (step.rephrased !== undefined) step = { ...step, query: { ...step.query, ...step.rephrased } };
    current = createClient(world, step.elsewhere === true ? elsewhere[world.scenario.api] : undefined);
    world.observer.note(`resume ${name}`);
    world.network.rewind(name, progress.body);
  }
  const { token } = progress;
  const tampered = token === undefined || step.isTampered !== true ? undefined : tamperBy(world, token);
  progress.token = tampered?.text ?? token;
  const isOther =
    step.changed !== undefined ||
    step.otherPath !== undefined ||
    step.elsewhere === true ||
    tampered !== undefined;
  if (isOther && progress.token !== undefined)
    await refuseChanged(world, current, step, name, abort, progress, tampered?.says);
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
  says = "belongs to a list with another",
): Promise<void> {
  const { otherPath: path = step.path } = step;
  const changed = { ...step, path, query: { ...step.query, ...step.changed } };
  const other: Progress = { ...progress, delivered: [] };
  const sent = world.observer.calls.get(name)?.sent;
  try {
    await walkOnce(world, client, changed, name, abort, other, Infinity);
  } catch (error) {
    const isRefused = error instanceof InvalidRequestError || error instanceof PaginationError;
    if (error instanceof InvalidRequestError && !error.message.includes(`resume: ${says}`))
      world.observer.violate(`${name} does not say "${says}": ${error.message}`);
    if (isRefused && world.observer.calls.get(name)?.sent === sent) throw error;
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
  const { exchanges } = world.observer;
  const pages: GivenPage[] = [];
  progress.pieces.push({ from: exchanges.filter((one) => one.call === name).length, pages });
  const own = cursorLists.has(step.method) ? identifyingQuery(world) : {};
  const [headers, query] = [{ [callHeader]: name }, { ...step.query, ...own }];
  const list = open(client, { ...step, query }, progress.token, { headers, signal });
  if (step.isReused === true) headers[callHeader] = query["limit"] = reused;
  const option = cursorLists.has(step.method) ? "prefetch" : "concurrency";
  const ahead = step.ahead === undefined ? undefined : { [option]: step.ahead };
  if (step.by === "array") {
    const { stop, max } = step;
    const items = stop === undefined ? list.toArray(max === undefined ? {} : { max }) : list.take(stop.after);
    progress.delivered.push(...(await items));
    progress.complete = step.stop === undefined;
    return false;
  }
  if (step.awaited === "before") {
    const page = await list;
    takeFirst(world, name, page);
    // the loop does not depend on what a program does with the page
    for (const item of page.items) if (typeof item === "object" && item !== null) clear(item);
  } else if (step.awaited === "while")
    list
      .finally(() => {})
      .then(
        (page) => takeFirst(world, name, page),
        () => {},
      );
  if (step.awaited === "again") {
    const [first] = await collectPages(list);
    if ((await list) !== first) world.observer.violate(`${name} gives another first page after a loop`);
    const again = await collectPages(list);
    if (again[0] === first)
      world.observer.violate(`${name} begins a second loop with the page of the first one`);
    if ((await list) !== first) world.observer.violate(`${name} gives another first page after two loops`);
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
    pages.push(page);
    if (world.scenario.client.hooks === undefined) await readWithResponse(world, page, name);
    if (await isDone()) return false;
    if (count >= kill && page.resume !== null) return true;
  }
  progress.complete = true;
  const tokens = pages.map(({ resume }) => resume);
  if (tokens.at(-1) !== null || tokens.slice(0, -1).includes(null))
    world.observer.violate(`${name} has a page with a wrong token: ${tokens.join(", ")}`);
  return false;
}

function clear(item: object): void {
  for (const property of Object.keys(item)) Reflect.deleteProperty(item, property);
}

async function collectPages(list: AnyList): Promise<GivenPage[]> {
  const pages: GivenPage[] = [];
  for await (const page of list.pages()) pages.push(page);
  return pages;
}

/** The page that a list gives when it is awaited. */
function takeFirst({ observer }: SimulatedWorld, name: string, page: GivenPage | undefined): void {
  if (page?.items === undefined) observer.violate(`${name} gives no first page`);
  else if (page.resume === "") observer.violate(`${name} gives a first page without a token`);
}

function takePage(
  { observer, secrets }: SimulatedWorld,
  name: string,
  page: GivenPage,
  progress: Progress,
): void {
  progress.delivered.push(...page.items);
  progress.pages += 1;
  progress.token = page.resume ?? undefined;
  progress.body = JSON.stringify(page.raw);
  progress.isDriftReported ||= (page.drift?.length ?? 0) > 0;
  observer.note(`${name} page ${progress.pages} with ${page.items.length} items`);
  if (page.resume !== null) secrets.text(`a token of ${name}`, page.resume);
  observer.log(`${name} has the token ${page.resume} and ${JSON.stringify([page.drift, page.raw])}`);
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
  const { page: _, cursor: __, ...rest } = query; // a token has the position
  return run.call(target, ...path, resume === undefined ? query : { ...rest, resume }, options);
}

/** Compares the items that were delivered with those of the service. */
function compareItems(
  { scenario, service }: SimulatedWorld,
  step: WalkStep,
  truth: Truth,
  { delivered, complete, isDriftReported }: Progress,
): string[] {
  if (!truth.isKnown) return complete ? ["ended without an error, and the service gives no such list"] : [];
  const isNumbered = scenario.api === "fleet";
  const isReporting = step.query["onDrift"] === "report" || (step.by === "pages" && !isHealing(step));
  // drift that was reported tells the program that items are missing or repeated
  if (isNumbered && isReporting && isDriftReported) return [];
  const problems = [];
  // a list with cursors that changed may repeat items before the walk notices and ends with an error; so may one of
  // items that differ in each response
  const isUnsteady = truth.added || truth.removed || scenario.world.signed === true;
  const isNoticed = !isNumbered && !complete && isUnsteady;
  const unexpected = isNoticed ? [] : truth.unexpected(delivered);
  if (unexpected.length > 0) problems.push(`${step.method} delivered too much: ${unexpected.join(", ")}`);
  // a client whose `identify` returns one value for two protocols counts them as one
  const isOne =
    service.readings["protocols.equal-summaries"] === "one" || scenario.client.identify !== undefined;
  const { page = 1, limit = 50 } = step.query;
  const first = (Number(page) - 1) * Number(limit);
  const missing = complete ? truth.missing(delivered, isOne, first) : [];
  if (missing.length > 0) problems.push(`${step.method} left out without an error: ${missing.join(", ")}`);
  if (complete && delivered.length > (step.max ?? Infinity)) problems.push("returned more than `max`");
  return problems;
}

function isHealing({ query }: WalkStep): boolean {
  return query["onDrift"] === "heal" || query["verify"] === true;
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
