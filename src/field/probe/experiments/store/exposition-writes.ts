import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { ScratchStore } from "../../scratch.ts";
import { inputsOf } from "../../store-inputs.ts";
import { scratchOf } from "./writes.ts";

/*
 * All of these experiments except the last create expositions, which cannot be removed, so they run only on a scratch
 * store that the run created. A response to an upsert contains at least the sent elements, under every reading of
 * `expositions.response`.
 */

const NEW_STORE = "a scratch store that this run creates, which needs --create-scratch-store";

const TYPES = ["DRINKS_DRINK_FRIDGE", "BREADS_BREAD_RACK", "ROLLS_BREAD_RACK"] as const;

function element(label: string, expositionType: string, categories: readonly string[] = []): JsonObject {
  return { label, friendlyTitle: null, productCategories: categories, expositionType, status: "active" };
}

function byId(rows: readonly JsonObject[], { expositionId }: JsonObject): JsonObject | undefined {
  return rows.find((row) => row.expositionId === expositionId);
}

function find(exchange: Exchange, label: string, type: string): JsonObject | undefined {
  return rowsOf(exchange).find((row) => row.label === label && row.expositionType === type);
}

/** @throws {Missing} if the run did not create its scratch store */
async function newStore(tools: ExperimentTools): Promise<ScratchStore> {
  const scratch = await scratchOf(tools);
  if (!scratch.isNew) throw new Missing(NEW_STORE);
  return scratch;
}

/** The state of two expositions after an upsert that named only the first, without its title. */
interface Upsert {
  readonly scratch: ScratchStore;
  readonly a: JsonObject;
  readonly b: JsonObject;
  readonly created: Exchange;
  readonly put: Exchange;
  readonly after: Exchange;
}

const upserts = new WeakMap<ScratchStore, Upsert>();

/** Creates two expositions and upserts one of them, once for all experiments of a run. */
async function upsertOne(tools: ExperimentTools): Promise<Upsert> {
  const scratch = await newStore(tools);
  const known = upserts.get(scratch);
  if (known !== undefined) return known;
  const upsert = await sendUpsert(tools, scratch);
  upserts.set(scratch, upsert);
  return upsert;
}

async function sendUpsert(tools: ExperimentTools, scratch: ScratchStore): Promise<Upsert> {
  const created = await scratch.putList("expositions", [
    { ...element("Probe A", TYPES[0]), friendlyTitle: tools.marker },
    element("Probe B", TYPES[1]),
  ]);
  const [a, b] = [find(created, "Probe A", TYPES[0]), find(created, "Probe B", TYPES[1])];
  if (!isOk(created) || a === undefined || b === undefined)
    throw new Missing("a scratch store that takes expositions");
  const [{ friendlyTitle: _, ...untitled } = {}] = inputsOf("expositions", [a]);
  const put = await scratch.putList("expositions", [untitled]);
  const after = await scratch.read("expositions");
  if (!isOk(put) || !isOk(after)) throw new Missing("a scratch store that takes expositions");
  return { scratch, a, b, created, put, after };
}

export const absent = experiment({
  gap: "expositions.absent",
  consent: "write",
  cost: 3,
  after: ["stores.create-requirements"],
  needs: NEW_STORE,
  observe: async function* observe(tools) {
    const { b, put, after } = await upsertOne(tools);
    const row = byId(rowsOf(after), b);
    const observed = { status: row?.status, isGone: row === undefined };
    const state = observed.isGone ? "gone" : String(observed.status);
    yield conclusiveResult(observed, `An exposition that an upsert did not name is ${state}.`, put, after);
  },
  readings: {
    keep: ({ status }) => status === "active",
    disable: ({ status }) => status === "disabled",
    delete: ({ isGone }) => isGone,
  },
});

export const response = experiment({
  gap: "expositions.response",
  consent: "write",
  cost: 0.5,
  after: ["expositions.absent"],
  needs: `${NEW_STORE}, and expositions that an upsert keeps`,
  observe: async function* observe(tools) {
    const { put, after } = await upsertOne(tools);
    const observed = { returned: rowsOf(put).length, all: rowsOf(after).length };
    if (observed.all < 2) throw new Missing("expositions that an upsert keeps");
    yield conclusiveResult(
      observed,
      `An upsert of one exposition returned ${observed.returned} of ${observed.all}.`,
      put,
      after,
    );
  },
  readings: {
    all: ({ returned, all }) => returned === all,
    sent: ({ returned, all }) => returned === 1 && all > 1,
  },
});

interface Matching {
  /** Whether an element with label and type of a stored exposition changed it. */
  readonly byBoth: boolean;
  readonly byLabel?: boolean;
  readonly byType?: boolean;
}

export const matching = experiment<"expositions.matching", Matching>({
  gap: "expositions.matching",
  consent: "write",
  cost: 2,
  after: ["expositions.response", "expositions.omitted-title"],
  needs: NEW_STORE,
  observe: async function* observe(tools) {
    const { scratch, a } = await upsertOne(tools);
    // the expositions have changed if this experiment starts again
    upserts.delete(scratch);
    const put = await scratch.putList("expositions", [element("Probe A", TYPES[0], ["DRINKS"])]);
    if (!isOk(put)) throw new Missing("a scratch store that takes expositions without ID");
    const categories = byId(rowsOf(put), a)?.productCategories;
    const byBoth = Array.isArray(categories) && categories.length === 1;
    if (!byBoth) {
      yield conclusiveResult(
        { byBoth },
        "An element with label and type of an exposition did not change it.",
        put,
      );
      return;
    }
    // first the label of A with another type, then the type of the exposition that now has this label, with another
    // label
    const labelled = await scratch.putList("expositions", [element("Probe A", TYPES[2])]);
    const byLabel = byId(rowsOf(labelled), a)?.expositionType === TYPES[2];
    const target = rowsOf(labelled).find(({ expositionType }) => expositionType === TYPES[2]);
    if (target === undefined) throw new Missing("a scratch store that takes expositions without ID");
    const typed = await scratch.putList("expositions", [element("Probe C", TYPES[2])]);
    const byType = byId(rowsOf(typed), target)?.label === "Probe C";
    const ways = [byLabel ? "label" : "", byType ? "type" : ""].filter((way) => way !== "").join(" and ");
    const reason = `An element without ID changes the exposition with its ${ways === "" ? "label and type together" : ways}.`;
    yield conclusiveResult({ byBoth, byLabel, byType }, reason, put, labelled, typed);
  },
  readings: {
    "always-new": ({ byBoth }) => !byBoth,
    label: ({ byBoth, byLabel, byType }) => byBoth && byLabel === true && byType === false,
    type: ({ byBoth, byLabel, byType }) => byBoth && byLabel === false && byType === true,
    "label-and-type": ({ byBoth, byLabel, byType }) => byBoth && byLabel === false && byType === false,
  },
});

export const unknownId = experiment({
  gap: "expositions.unknown-id",
  consent: "write",
  cost: 1,
  after: ["expositions.matching"],
  needs: NEW_STORE,
  observe: async function* observe(tools) {
    const scratch = await newStore(tools);
    const expositionId = tools.uuid();
    const put = await scratch.putList("expositions", [{ expositionId, ...element(tools.marker, TYPES[1]) }]);
    // 404 may also mean that the store does not exist
    if (put.status === 404 && !isOk(await scratch.read("expositions"))) throw new Missing(NEW_STORE);
    const row = rowsOf(put).find(({ label }) => label === tools.marker);
    const observed = {
      status: put.status,
      isMade: row !== undefined,
      hasId: row?.expositionId === expositionId,
    };
    const created = observed.isMade ? `, which made one with ${observed.hasId ? "this" : "another"} ID` : "";
    yield conclusiveResult(observed, `An element with an unknown ID: status ${put.status}${created}.`, put);
  },
  readings: {
    created: ({ status, isMade, hasId }) => status === 200 && isMade && hasId,
    "created-with-new-id": ({ status, isMade, hasId }) => status === 200 && isMade && !hasId,
    "not-found": ({ status }) => status === 404,
    invalid: ({ status }) => status === 400,
  },
});

/** The title after an upsert without `friendlyTitle`. */
function observeTitle(tools: ExperimentTools, titled: Exchange, exchange: Exchange, exposition: JsonObject) {
  const row = byId(rowsOf(exchange), exposition);
  const isTitled = byId(rowsOf(titled), exposition)?.friendlyTitle === tools.marker;
  if (!isTitled || row === undefined) throw new Missing(TITLED);
  const title = row.friendlyTitle ?? null;
  const reason = `An element without friendlyTitle ${title === null ? "cleared" : "did not clear"} the title.`;
  return conclusiveResult(
    { isCleared: title === null, isKept: title === tools.marker },
    reason,
    titled,
    exchange,
  );
}

const TITLED = "a scratch store with an exposition";

export const omittedTitle = experiment({
  gap: "expositions.omitted-title",
  consent: "write",
  cost: 1,
  after: ["stores.create-requirements", "expositions.absent"],
  needs: TITLED,
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    if (scratch.isNew) {
      const { a, created, put } = await upsertOne(tools);
      yield observeTitle(tools, created, put, a);
      return;
    }
    const [first, ...others] = inputsOf("expositions", await scratch.list("expositions"));
    if (first === undefined) throw new Missing(TITLED);
    const titled = await scratch.putList("expositions", [
      { ...first, friendlyTitle: tools.marker },
      ...others,
    ]);
    const { friendlyTitle: _, ...untitled } = first;
    yield observeTitle(tools, titled, await scratch.putList("expositions", [untitled, ...others]), first);
  },
  readings: { cleared: ({ isCleared }) => isCleared, kept: ({ isKept }) => isKept },
});
