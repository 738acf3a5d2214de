/** Plans and applies upserts as a program does, and checks that the service is as desired or a result says why not. */
import { isDeepStrictEqual } from "node:util";
import {
  applyPlan,
  type ApplyResult,
  ConfigurationError,
  type DesiredStore,
  InvalidRequestError,
  planStores,
  type StorePlan,
  WriteError,
} from "../../src/index.ts";
import type { StoreWriter } from "../../src/client/store/apply-task.ts";
import type { StoreClient, StoreList } from "../../src/client/store/index.ts";
import type { Store, StoreUpsert } from "../../generated/store.ts";
import { checkError, checkMessage, logEnding, makeCall, type PlannedAbort, planAbort } from "./calls.ts";
import { ProgramError, type SimulatedWorld } from "./client.ts";
import { callHeader, type Exchange, type Observer } from "./observer.ts";
import { beginStep, judge } from "./rules.ts";
import type { Json, JsonObject, PlanStep } from "./scenario.ts";

interface StoreLists {
  readonly stores: { list(query: object, options: object): { toArray(): Promise<Store[]> } };
}

/** One plan and what came of it. */
interface Round {
  readonly name: string;
  readonly plan: StorePlan;
  readonly results: readonly ApplyResult[];
  readonly problems: readonly string[];
  /** Nobody else changed the data in between. */
  readonly isAlone: boolean;
}

/** An exception of `onResult`. */
const stopped = new ProgramError("the program stopped its plan");

export async function runPlan(
  world: SimulatedWorld,
  client: object,
  step: PlanStep,
  name: string,
): Promise<void> {
  const begun = beginStep(world, step, name);
  const abort = planAbort(world, step.abort);
  const ending: { error: unknown } = { error: undefined };
  const first = await runRound(world, client, step, `${name}.a`, abort, ending);
  const isAgain = first !== undefined && step.again === true;
  const second = isAgain ? await runRound(world, client, step, `${name}.b`, abort, ending) : undefined;
  const problems = [...(first?.problems ?? []), ...(second?.problems ?? []), ...findRepeated(first, second)];
  if (first !== undefined && step.source !== undefined) problems.push("planned from a part of the stores");
  judge(world, begun, problems, ending.error);
}

/** A plan of what is done has nothing to do. */
function findRepeated(first: Round | undefined, second: Round | undefined): string[] {
  const isDone = first?.results.every(({ outcome }) => outcome === "done") === true;
  if (second === undefined || !isDone || !first.isAlone || !second.isAlone) return [];
  const { create, update } = second.plan;
  const count = create.length + update.length;
  return count > 0 ? [`plans ${count} stores again that were done`] : [];
}

/** Undefined where the program was given an error. */
async function runRound(
  world: SimulatedWorld,
  client: object,
  step: PlanStep,
  name: string,
  abort: PlannedAbort,
  ending: { error: unknown },
): Promise<Round | undefined> {
  const { observer, service, clock } = world;
  const from = service.writers.length;
  const isAlone = (): boolean => service.writers.slice(from).every((writer) => writer.startsWith(name));
  let plan: StorePlan | undefined;
  try {
    const desired = step.desired as readonly DesiredStore[]; // the generator writes no others
    const stores = await readStores(world, client, name, abort);
    const reader = client as StoreClient; // only histories of stores have plans
    const options = { store: reader, headers: { [callHeader]: `${name}-lists` }, signal: abort.signal };
    const lists = observer.start(`${name}-lists`, { repeatable: true, parallel: 4, isWalk: true });
    plan = await planStores(desired, sourceOf(client, step, stores), options);
    checkPlan(world, step, name, plan);
    for (const problem of comparePlan(step, stores, plan)) observer.violate(`${name} ${problem}`);
    const results = await apply(world, client, step, name, plan, abort);
    const round = { name, plan, results, isAlone: isAlone() };
    observer.finish(lists);
    logEnding(observer, name, { value: [plan, results] });
    checkResults(world, step, round);
    return { ...round, problems: compareStores(world, step, round) };
  } catch (error) {
    if (error instanceof ConfigurationError && isKnownLost(observer, name, plan)) return undefined;
    if (error !== stopped) checkError(world, name, error);
    if (error !== stopped) ending.error = error;
    if (abort.at !== undefined && clock.now > abort.at)
      observer.violate(`${name} ended ${clock.now - abort.at} ms after its abort`);
    return undefined;
  }
}

/** Whether the store by which a plan knows its tenant was deleted or replaced by another program. */
function isKnownLost({ exchanges }: Observer, name: string, plan: StorePlan | undefined): boolean {
  const known = plan?.known;
  if (known === undefined) return false;
  const { response = "" } =
    exchanges.findLast(({ call }) => call === `${name}-${known.externalId}-known`) ?? {};
  return response.startsWith("404 ") || (response.startsWith("200 ") && !response.includes(known.storeId));
}

/** The list from which a plan is made: a whole one, unless the scenario says otherwise. */
function sourceOf(client: object, { source }: PlanStep, stores: readonly Store[]): StoreList {
  if (source === undefined) return wholeList(stores);
  if (source === "array") return [...stores] as never; // what a program without types may pass
  return (client as StoreClient).stores.list({ extra: { region: "north" } });
}

function wholeList(stores: readonly Store[]): StoreList {
  return {
    isWhole: true,
    async *[Symbol.asyncIterator]() {
      yield* stores;
    },
  };
}

async function readStores(
  { observer }: SimulatedWorld,
  client: object,
  name: string,
  { signal }: PlannedAbort,
): Promise<Store[]> {
  const record = observer.start(name, { repeatable: true, parallel: 1, isWalk: true });
  const { stores } = client as StoreLists; // only histories of stores have plans
  try {
    return await stores.list({}, { headers: { [callHeader]: name }, signal }).toArray();
  } finally {
    observer.finish(record);
  }
}

/** Each desired store is in exactly one part of the plan. */
function checkPlan({ observer }: SimulatedWorld, { desired }: PlanStep, name: string, plan: StorePlan): void {
  const planned = [
    ...plan.create.map(({ externalId }) => externalId),
    ...plan.update.map(({ externalId }) => externalId),
    ...plan.unchanged,
  ];
  const wanted = desired.map(({ externalId }) => externalId);
  if (!isDeepStrictEqual(planned.toSorted(), wanted.toSorted()))
    observer.violate(`${name} plans other stores than the desired ones: ${planned.join(", ")}`);
}

/** The parts of a plan that follow from the desired stores and from those of the list. */
function comparePlan({ desired }: PlanStep, stores: readonly Store[], plan: StorePlan): string[] {
  const found = (id: string): JsonObject | undefined =>
    stores.find(({ externalId }) => externalId === id) as JsonObject | undefined; // a store is JSON
  const wanted = new Set(desired.map(({ externalId }) => externalId));
  const extra = stores.filter(({ externalId }) => externalId === null || !wanted.has(externalId));
  const create = desired.filter(({ externalId }) => found(externalId) === undefined);
  const own = (part: object): object =>
    Object.fromEntries(Object.entries(part).filter(([name]) => !lists.has(name)));
  const changes = desired.flatMap(({ externalId, ...properties }): [string, object, JsonObject][] => {
    const before = found(externalId);
    if (before === undefined) return [];
    const differing = Object.entries(own(properties)).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name]),
    );
    return [[externalId, Object.fromEntries(differing), before]];
  });
  const problems = [];
  const named = stores.filter(({ externalId }) => externalId !== null);
  const order = [...named.filter(({ externalId }) => wanted.has(externalId ?? "")), ...named];
  if (plan.known?.storeId !== order[0]?.storeId || plan.known?.externalId !== order[0]?.externalId)
    problems.push(`knows the store ${plan.known?.externalId}`);
  if (!isDeepStrictEqual(plan.extra, extra)) problems.push(`plans ${plan.extra.length} extra stores`);
  if (!isDeepStrictEqual(plan.create, create)) problems.push(`creates ${JSON.stringify(plan.create)}`);
  for (const [externalId, expected, before] of changes) {
    const update = plan.update.find((one) => one.externalId === externalId);
    if (!isDeepStrictEqual(own(update?.changes ?? {}), expected))
      problems.push(`plans the changes ${JSON.stringify(update?.changes)} of ${externalId}`);
    if (update !== undefined && !isDeepStrictEqual(own(update.before), before))
      problems.push(`has another store before the change of ${externalId}`);
  }
  return problems;
}

/** Applies a plan; each upsert is a separate call, with the rules of calls. */
async function apply(
  world: SimulatedWorld,
  client: object,
  { concurrency, dryRun, check, absent, stop = Infinity }: PlanStep,
  name: string,
  plan: StorePlan,
  abort: PlannedAbort,
): Promise<ApplyResult[]> {
  const { observer } = world;
  let open = 0;
  let count = 0;
  let stoppedAt = Infinity;
  const upsert = async (externalId: string, store: StoreUpsert): Promise<Store> => {
    open += 1;
    if (open > (concurrency ?? 4)) observer.violate(`${name} writes ${open} stores at the same time`);
    const args: readonly Json[] = [externalId, store as Json]; // an upsert is JSON
    const call = { do: "call", method: "stores.upsert", args } as const;
    const ending = await makeCall(world, client, call, `${name}-${externalId}`, abort);
    open -= 1;
    if ("error" in ending) throw ending.error;
    return ending.value as Store; // compared with the response by makeCall
  };
  // before the first creation, or the first write without a look, a plan looks if the token is that of its tenant
  let isFirst = (plan.create.length > 0 || check === false) && plan.known !== undefined && dryRun !== true;
  const get = async (externalId: string): Promise<Store> => {
    const suffix = isFirst ? "known" : "read";
    isFirst = false;
    // a store that was read before the end is still written, and one that begins at the moment of the end
    if (world.clock.now > stoppedAt) observer.violate(`${name} begins with ${externalId} after its end`);
    const call = { do: "call", method: "stores.get", args: [externalId] } as const;
    const ending = await makeCall(world, client, call, `${name}-${externalId}-${suffix}`, abort);
    if ("error" in ending) throw ending.error;
    return ending.value as Store; // compared with the response by makeCall
  };
  const { contacts, expectations, expositions } = client as StoreWriter; // only histories of stores have plans
  const writer: StoreWriter = { stores: { get, upsert }, contacts, expectations, expositions };
  // a promise that the client has to await
  const onResult = async (
    { externalId }: ApplyResult,
    progress: { done: number; total: number },
  ): Promise<void> => {
    count += 1;
    observer.note(`${name} ${externalId} ${progress.done}/${progress.total}`);
    if (progress.done !== count) observer.violate(`${name} reports ${progress.done} after ${count} results`);
    if (count !== stop) return;
    stoppedAt = world.clock.now;
    throw stopped;
  };
  const headers = { [callHeader]: `${name}-lists` };
  const results = await applyPlan(writer, plan, {
    concurrency,
    dryRun,
    check,
    absent,
    onResult,
    headers,
    signal: abort.signal,
  });
  if (open > 0) observer.violate(`${name} ended while ${open} stores were written`);
  if (count !== results.length) observer.violate(`${name} reports ${count} of ${results.length} results`);
  return results;
}

/** Every planned store has a result in order, and what is done is at the service. */
function checkResults(world: SimulatedWorld, step: PlanStep, round: Omit<Round, "problems">): void {
  const { observer, service } = world;
  const { name, plan, results } = round;
  const planned = [...plan.create, ...plan.update].map(({ externalId }) => externalId);
  if (
    !isDeepStrictEqual(
      results.map(({ externalId }) => externalId),
      planned,
    )
  )
    observer.violate(`${name} has results for other stores than the planned ones`);
  const mustKnow = (plan.create.length > 0 || step.check === false) && plan.known !== undefined;
  const isKnown = observer.exchanges.some(({ call }) => call.startsWith(name) && call.endsWith("-known"));
  if (mustKnow && !isKnown && results.some(({ written }) => written.length > 0))
    observer.violate(`${name} writes without a look at a known store`);
  for (const result of results) {
    const { externalId, outcome, error } = result;
    const reads = observer.exchanges.filter(({ call }) => call === `${name}-${externalId}-read`);
    const listed = observer.exchanges.filter(({ call }) => call === `${name}-lists`);
    for (const problem of [
      ...compareResult(plan, result),
      ...compareRead(step, plan, result, reads),
      ...compareLists(step, plan, result, listed),
    ])
      observer.violate(`${name} ${problem}`);
    const isApplied = service.applications.some(({ call }) => call === `${name}-${externalId}`);
    if (outcome !== "done" && outcome !== "planned" && error === undefined)
      observer.violate(`${name} does not say why ${externalId} is ${outcome}`);
    checkMessage(observer, name, error);
    if ((outcome === "skipped" || outcome === "planned") && isApplied)
      observer.violate(`${name} wrote ${externalId}, which is ${outcome}`);
    const isPossible = step.dryRun === true ? outcome === "planned" : outcome !== "planned";
    if (error instanceof TypeError) observer.violate(`${name} has the error ${String(error)}`);
    // the expositions of a service may fit several elements, and a wrong value of a response is refused when it is sent back
    const isRefused = error instanceof InvalidRequestError && !error.message.includes("expositions");
    if (isRefused && !observer.isGarbled)
      observer.violate(`${name} refuses what it planned for ${externalId}: ${error.message}`);
    if (!isPossible && !observer.isGarbled) observer.violate(`${name} reports ${outcome} for ${externalId}`);
  }
}

/** A result has the changes of the plan, and names the parts that were written. */
function compareResult({ create, update }: StorePlan, result: ApplyResult): string[] {
  const { externalId, outcome, action, changes, written, store } = result;
  const created = create.find((one) => one.externalId === externalId);
  const { externalId: _, ...desired } = created ?? {};
  const planned =
    created === undefined ? update.find((one) => one.externalId === externalId)?.changes : desired;
  const hasOwn = created !== undefined || Object.keys(planned ?? {}).some((part) => !lists.has(part));
  const parts = [...(hasOwn ? ["store"] : []), ...[...lists].filter((list) => list in (planned ?? {}))];
  const problems = [];
  if (action !== (created === undefined ? "update" : "create")) problems.push(`${action}s ${externalId}`);
  if (!isDeepStrictEqual(changes, planned)) problems.push(`has other changes of ${externalId} than the plan`);
  const expected = outcome === "done" ? parts : parts.slice(0, written.length);
  if (!isDeepStrictEqual(written, expected))
    problems.push(`wrote ${written.join()} of ${externalId}: ${outcome}`);
  // the store is read as well where only its lists are written
  const mayHaveStore = outcome === "done" && (hasOwn || store !== undefined);
  if (mayHaveStore !== (store !== undefined) || (mayHaveStore && store?.externalId !== externalId))
    problems.push(`has the store ${store?.externalId} as the result for ${externalId}`);
  const isEarly = (outcome === "skipped" || outcome === "planned") && written.length > 0;
  if (isEarly || (outcome !== "done" && written.length === parts.length && parts.length > 0))
    problems.push(`wrote all of ${externalId}: ${outcome}`);
  const { reason } = result.error instanceof WriteError ? result.error : { reason: undefined };
  const isNamed = reason === "conflict" || reason === "differs";
  const failed = isNamed ? reason : outcome === "skipped" ? "skipped" : "failed";
  if (result.error !== undefined && outcome !== failed) problems.push(`reports ${outcome} for ${reason}`);
  return problems;
}

/** A store is read before it is written, and not written if somebody has changed what the plan changes. */
function compareRead(
  { check, dryRun }: PlanStep,
  { create, update }: StorePlan,
  { externalId, outcome, written, error }: ApplyResult,
  reads: readonly Exchange[],
): string[] {
  if (check === false) return reads.length > 0 ? [`reads ${externalId} again`] : [];
  if (dryRun === true) return reads.length > 0 ? [`reads ${externalId} for a dry run`] : [];
  const read = reads.find(({ hasResponse, status, fault }) => {
    const isOfAnother = fault?.kind === "wrong" && fault.property === "storeId";
    return hasResponse && status === 200 && (fault === undefined || isOfAnother);
  });
  if (reads.length === 0 && written.length > 0) return [`writes ${externalId} without a look`];
  if (read === undefined) return [];
  const now = JSON.parse(read.response.slice("200 whole ".length)) as JsonObject;
  const { before, changes } = update.find((one) => one.externalId === externalId) ?? {};
  const isReplaced = before !== undefined && !isSameId(before.storeId, now["storeId"]);
  const changed = Object.entries(changes ?? {}).flatMap(([name, wanted]) => {
    const [planned, current] = [before?.[name as keyof Store], now[name]];
    const isOther = !isDeepStrictEqual(planned, current) && !isDeepStrictEqual(wanted, current);
    return !lists.has(name) && isOther ? [name] : [];
  });
  const isCreated = create.some((one) => one.externalId === externalId);
  const paths = isReplaced ? ["storeId"] : isCreated ? ["externalId"] : changed;
  if (paths.length === 0) return [];
  if (outcome !== "conflict") return [`reports ${outcome} of ${externalId}, which another program changed`];
  const named = error instanceof WriteError ? error.issues.map(({ path }) => path) : [];
  return isDeepStrictEqual(named, paths)
    ? []
    : [`names ${named.join()} of ${externalId}, not ${paths.join()}`];
}

/** A list is read before it is written, and not written if it is another one than in the plan. */
function compareLists(
  { check }: PlanStep,
  { update }: StorePlan,
  { externalId, written }: ApplyResult,
  exchanges: readonly Exchange[],
): string[] {
  const { before } = update.find((one) => one.externalId === externalId) ?? {};
  if (before === undefined || check === false) return [];
  return [...lists].flatMap((list) => {
    const own = exchanges.filter(({ request }) => request.endsWith(`/${externalId}/${list}`));
    const writes = own.filter(({ request }) => request.startsWith("PUT "));
    const isStored = writes.some(({ hasResponse, status }) => hasResponse && status === 200);
    if (written.some((part) => part === list) && writes.length > 0 && !isStored)
      return [`counts the ${list} of ${externalId} as written`];
    const [first] = writes;
    const write = first === undefined ? -1 : own.indexOf(first);
    const read = own.slice(0, Math.max(0, write)).findLast(({ request, hasResponse, status, fault }) => {
      const isWhole = hasResponse && status === 200 && fault === undefined;
      return isWhole && request.startsWith("GET ");
    });
    if (read === undefined) return [];
    const now = JSON.parse(read.response.slice("200 whole ".length)) as JsonObject;
    const planned = before[list as "contacts"] ?? []; // each of the three lists has elements
    const isSame = isDeepStrictEqual(elementsOf(now["items"]), elementsOf(planned as never));
    return isSame ? [] : [`writes the ${list} of ${externalId}, which another program changed`];
  });
}

/** The elements of a list in one order, without what only the service sets. */
function elementsOf(items: Json | undefined): string[] {
  return (items as readonly JsonObject[])
    .map(({ contactId: _, createdAt: __, expectationId: ___, updatedAt: ____, ...element }) =>
      JSON.stringify(element, Object.keys(element).toSorted()).toLowerCase(),
    )
    .toSorted();
}

function isSameId(one: unknown, other: Json | undefined): boolean {
  return typeof one === "string" && typeof other === "string" && one.toLowerCase() === other.toLowerCase();
}

/** Compares the stores at the service with the desired ones. */
function compareStores(
  { service }: SimulatedWorld,
  step: PlanStep,
  { name, plan, results, isAlone }: Omit<Round, "problems">,
): string[] {
  if (!isAlone) return [];
  const problems = [];
  const written = results.filter(({ outcome }) => outcome === "done").map(({ externalId }) => externalId);
  for (const externalId of written)
    if (!service.applications.some(({ call }) => [`${name}-${externalId}`, `${name}-lists`].includes(call)))
      problems.push(`did not write ${externalId}`);
  const done = new Set([...plan.unchanged, ...written]);
  for (const desired of step.desired) {
    if (!done.has(desired.externalId)) continue;
    const path = `/v1/stores/${desired.externalId}`;
    const actual = service.read(path) ?? {};
    const differing = Object.keys(desired).filter((key) =>
      lists.has(key)
        ? !hasElements(service.read(`${path}/${key}`)?.["items"], desired[key], key)
        : !isDeepStrictEqual(desired[key], actual[key]),
    );
    if (differing.length > 0)
      problems.push(`left ${desired.externalId} with another ${differing.join(", ")}`);
  }
  return problems;
}

const lists: ReadonlySet<string> = new Set(["contacts", "expectations", "expositions"]);

/** Whether a list has each desired element once; contacts and expectations are the whole list. */
function hasElements(actual: Json | undefined, desired: Json | undefined, list: string): boolean {
  const [stored, wanted] = [actual, desired] as readonly (readonly JsonObject[])[]; // lists of elements
  if (list !== "expositions" && stored?.length !== wanted?.length) return false;
  const fits = (one: JsonObject, other: JsonObject): boolean =>
    Object.keys(one).every((key) => isDeepStrictEqual(one[key], other[key]));
  return wanted?.every((one) => stored?.filter((other) => fits(one, other)).length === 1) === true;
}
