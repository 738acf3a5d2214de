import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { type Control, experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { isSameJson } from "../../../../wire/compare-json.ts";
import { type JsonObject, objectOf, objectsIn } from "../../../../wire/json.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import type { ScratchStore } from "../../scratch.ts";
import { fieldsOf } from "../../store-inputs.ts";
import { storePage } from "./data.ts";

/** Returns the store that writes may change. @throws {Missing} if the run has no such store */
export async function scratchOf({ scratch }: ExperimentTools): Promise<ScratchStore> {
  if (scratch === undefined) throw new Missing("a scratch store");
  await scratch.saved();
  return scratch;
}

/** Returns a location that no other round sets. */
function ownLocation({ marker, round }: ExperimentTools): string {
  return `${marker}-${round}`;
}

export const TIMES = [{ weekday: 1, from: "08:00", to: "12:00" }] as const;

/** The first updates of a round. */
interface Updates {
  /** The update with a `storeType` of null. */
  readonly nullType: Exchange;
  readonly stored: Exchange;
  /** Updates with every field are accepted and stored, so that a rejected one is rejected for its change. */
  readonly isStored: Control;
}

/**
 * Updates the store with opening times and a `storeType` of null, and without it if that is rejected; reads it afterwards.
 * Once in a round.
 */
function sendUpdates(tools: ExperimentTools): Promise<Updates> {
  return tools.once("updates", async () => {
    const scratch = await scratchOf(tools);
    const location = ownLocation(tools);
    const changes = { location, openingTimes: TIMES };
    const nullType = await scratch.set({ ...changes, storeType: null });
    if (nullType.status === 400) scratch.rejectNullType();
    const put = isOk(nullType) ? nullType : await scratch.set(changes);
    const stored = await storeOf(tools).get(scratch.path, {}, { fresh: true });
    const isOwn = isOk(put) && bodyOf(stored).location === location;
    return {
      nullType,
      stored,
      isStored: control("an update with every field is accepted and stored", isOwn),
    };
  });
}

/** Returns the store with the control of its updates. @throws {Missing} if no update is accepted and stored */
export async function updatableStore(
  tools: ExperimentTools,
): Promise<{ scratch: ScratchStore; isStored: Control }> {
  const { isStored } = await sendUpdates(tools);
  // in a later round, the failed control casts doubt on the earlier ones
  if (tools.round === 1 && !isStored.holds) throw new Missing("a scratch store that takes updates");
  return { scratch: await scratchOf(tools), isStored };
}

/** A refused write counts only if the same one without the change is accepted before and after it. */
export async function isAcceptedWithout(
  scratch: ScratchStore,
  exchange: Exchange,
  send?: () => Promise<Exchange>,
): Promise<Control> {
  const isAccepted = isOk(exchange) || (await scratch.acceptsWithout(send));
  return control("the same write without the change is accepted", isAccepted);
}

/**
 * A response to a write could repeat the request, whatever the service stored. The first round asks as little as possible;
 * the later ones read what was written.
 */
export async function isReadBack(
  tools: ExperimentTools,
  exchange: Exchange,
  valueIn: (exchange: Exchange) => unknown,
): Promise<Control> {
  const isRead = tools.round > 1 && isOk(exchange);
  const read = isRead ? await storeOf(tools).get(exchange.path, {}, { fresh: true }) : exchange;
  const isSame = JSON.stringify(valueIn(read)) === JSON.stringify(valueIn(exchange));
  return control("a read shows what the response to the write shows", isSame);
}

export const NEW_STORE = "a scratch store that this run creates, which needs --create-scratch-store";

interface Creation {
  /** Whether the refusal of an empty body names each of the five fields. */
  readonly isNamed: boolean;
  readonly empty: number;
  readonly named?: number;
  readonly filled?: number;
}

/** A store can be created only once in a run, so that this gap is never decided. */
export const createRequirements = experiment<"stores.create-requirements", Creation>({
  gap: "stores.create-requirements",
  cost: 0.5,
  needs: NEW_STORE,
  assumes: "The service refuses a body without a required field with status 400.",
  observe: async function* observe(tools) {
    const sent = await tools.once("creation", () => sendCreations(tools));
    const [empty, named, filled] = sent;
    const observed = {
      empty: empty.status,
      isNamed: areNamed(empty),
      ...(named && { named: named.status }),
      ...(filled && { filled: filled.status }),
    };
    const bodies = ["an empty one", "one with only name", "one with all five fields"];
    const reason = `Bodies that create a store: ${sent.map(({ status }, index) => `${bodies[index]} has status ${status}`).join(", ")}.`;
    const last = sent.at(-1) ?? empty;
    const { stored } = await sendUpdates(tools);
    const controls = [isAnswer(empty), succeeds(last), succeeds(stored)] as const;
    yield observation(empty.path, observed, reason, controls, ...sent);
  },
  readings: {
    "none-required": { empty: 200 },
    "non-null-fields": { isNamed: true, empty: 400, named: 400, filled: 200 },
    "name-only": { empty: 400, named: 200 },
  },
});

const REQUIRED = ["name", "protocolScheduleId", "loginCode", "protocolCronEnabled", "onboardingComplete"];

/** Whether a refusal names each field that may be required: the service could require fewer. */
function areNamed(exchange: Exchange): boolean {
  const paths = objectsIn(objectOf(bodyOf(exchange).error).issues).map(({ path }) => String(path));
  return REQUIRED.every((field) => paths.some((path) => path.includes(field)));
}

/** Sends bodies with more and more fields until one creates the store. @throws {Missing} if it exists */
async function sendCreations(tools: ExperimentTools): Promise<readonly [Exchange, ...Exchange[]]> {
  const { scratch } = tools;
  if (scratch === undefined || (await scratch.exists())) throw new Missing(NEW_STORE);
  // what was refused before a request failed is not sent again
  const empty = await tools.once("creation without name", () => scratch.create({}));
  if (isOk(empty)) return [empty];
  const named = await tools.once("creation with name", () => scratch.create({ name: tools.marker }));
  return isOk(named) ? [empty, named] : [empty, named, await scratch.create(await fullBody(tools))];
}

async function fullBody(tools: ExperimentTools): Promise<JsonObject> {
  const [{ protocolScheduleId } = { protocolScheduleId: tools.uuid() }] = rowsOf(await storePage(tools));
  const flags = { protocolCronEnabled: false, onboardingComplete: false };
  return { name: tools.marker, protocolScheduleId, loginCode: "000000", ...flags };
}

export const nullStoreType = experiment({
  gap: "stores.null-store-type",
  cost: 0.6,
  after: ["stores.create-requirements"],
  needs: "a scratch store",
  assumes: "The same update with another type would be accepted.",
  observe: async function* observe(tools) {
    const { nullType, stored, isStored } = await sendUpdates(tools);
    const observed = { status: nullType.status, isNull: bodyOf(stored).storeType === null };
    const reason = `An update with storeType null: status ${nullType.status}.`;
    yield observation(nullType.path, observed, reason, [isStored, isAnswer(nullType)], nullType);
  },
  readings: {
    accepted: { status: 200, isNull: true },
    rejected: { status: 400 },
  },
});

export const omittedFields = experiment({
  gap: "stores.omitted-fields",
  cost: 2,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "If location and openingTimes are reset, all fields are.",
  observe: async function* observe(tools) {
    const { scratch } = await updatableStore(tools);
    const { name } = await scratch.saved();
    const marked = ownLocation(tools);
    const before = await scratch.set({ location: marked });
    const exchange = await scratch.put({ name });
    const after = isOk(exchange) ? await storeOf(tools).get(scratch.path, {}, { fresh: true }) : before;
    const { location } = bodyOf(exchange);
    const [set = [], times = []] = [before, exchange].map(beginningsIn);
    const observed = {
      status: exchange.status,
      isKept: location === marked && String(times) === String(set) && haveSameFields(before, exchange),
      isReset: location === null && times.length === 0,
    };
    const effect = observed.isKept ? "kept" : "did not keep";
    const reason = `An update without location: status ${exchange.status}${isOk(exchange) ? `, which ${effect} it` : ""}.`;
    const isSet = control("an update sets the location", bodyOf(before).location === marked);
    const expected = isOk(exchange) ? location : marked;
    const hasLocation = control(
      "the store has the location of the response",
      bodyOf(after).location === expected,
    );
    const isAccepted = await isAcceptedWithout(scratch, exchange);
    const controls = [succeeds(before), isSet, hasLocation, isAccepted, isAnswer(exchange)] as const;
    yield observation(scratch.path, observed, reason, controls, before, exchange, after);
  },
  readings: {
    keep: { status: 200, isKept: true },
    reset: { status: 200, isReset: true },
    reject: { status: 400 },
  },
});

/** Whether two responses show a store with the same fields besides its opening times, which may be sorted. */
function haveSameFields(...exchanges: readonly [Exchange, Exchange]): boolean {
  const [one, other] = exchanges.map((exchange) => ({ ...fieldsOf(bodyOf(exchange)), openingTimes: null }));
  return isSameJson(one, other);
}

function beginningsIn(exchange: Exchange): unknown[] {
  return objectsIn(bodyOf(exchange).openingTimes).map(({ from }) => from);
}

export const nullOpeningTimes = experiment({
  gap: "stores.null-opening-times",
  cost: 1,
  after: ["stores.opening-times"],
  needs: "a scratch store",
  assumes: "An update that is stored with its location is stored with its opening times.",
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    const before = await scratch.set({});
    const exchange = await scratch.put(await scratch.full({ openingTimes: null }));
    const [set = [], times = []] = [before, exchange].map(beginningsIn);
    const count = times.length;
    const isKept = String(times) === String(set);
    const isSet = control("an update sets opening times", set.length > 0);
    const reason = `An update with openingTimes null: status ${exchange.status}, ${count} opening times.`;
    const isList = control("the response has a list", Array.isArray(bodyOf(exchange).openingTimes));
    const isRead = await isReadBack(tools, exchange, beginningsIn);
    const controls = [isSet, isStored, isList, isRead, succeeds(exchange)] as const;
    yield observation(scratch.path, { count, isKept }, reason, controls, before, exchange);
  },
  readings: { clears: { count: 0, isKept: false }, keeps: { isKept: true } },
});
