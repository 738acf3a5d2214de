import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, stringsIn } from "../../json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { ScratchStore } from "../../scratch.ts";
import { expositionTypes } from "../../../../../generated/store.enums.ts";
import { inputsOf } from "../../store-inputs.ts";
import { isSameUuid } from "./identity.ts";
import { scratchOf } from "./writes.ts";

/*
 * All of these experiments except the last create expositions, which cannot be removed, so they run only on a scratch
 * store that the run created. A response to an upsert contains at least the sent elements, under every reading of
 * `expositions.response`.
 */

const NEW_STORE = "a scratch store that this run creates, which needs --create-scratch-store";

/** Returns three types, others each time: expositions of an earlier attempt may still exist. */
function chooseTypes(tools: ExperimentTools): readonly [string, string, string] {
  const at = (Number.parseInt(tools.uuid().slice(0, 4), 16) % 11) * 3;
  const [a = "", b = "", c = ""] = expositionTypes.slice(at, at + 3);
  return [a, b, c];
}

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
  readonly types: readonly [string, string, string];
  readonly a: JsonObject;
  readonly b: JsonObject;
  readonly created: Exchange;
  readonly put: Exchange;
  readonly after: Exchange;
}

/** Creates an exposition of another type; returns it with its ID. */
export async function createExposition(
  tools: ExperimentTools,
): Promise<{ scratch: ScratchStore; a: JsonObject; inputs: JsonObject }> {
  const scratch = await newStore(tools);
  const label = `Probe E ${tools.uuid().slice(0, 4)}`;
  const created = await scratch.putList("expositions", [element(label, chooseTypes(tools)[2])]);
  const a = rowsOf(created).find((row) => row.label === label);
  if (!isOk(created) || a === undefined) throw new Missing("a scratch store that takes expositions");
  const [inputs = {}] = inputsOf("expositions", [a]);
  return { scratch, a, inputs };
}

/** Creates two expositions and upserts one of them, once in a round. */
async function upsertOne(tools: ExperimentTools): Promise<Upsert> {
  const scratch = await newStore(tools);
  return tools.once("upsert", () => sendUpsert(tools, scratch));
}

async function sendUpsert(tools: ExperimentTools, scratch: ScratchStore): Promise<Upsert> {
  const id = tools.uuid().slice(0, 4);
  const labels = [`Probe A ${id}`, `Probe B ${id}`] as const;
  const types = chooseTypes(tools);
  const [typeA, typeB] = types;
  const created = await scratch.putList("expositions", [
    { ...element(labels[0], typeA), friendlyTitle: tools.marker },
    element(labels[1], typeB),
  ]);
  const [a, b] = [find(created, labels[0], typeA), find(created, labels[1], typeB)];
  if (!isOk(created) || a === undefined || b === undefined)
    throw new Missing("a scratch store that takes expositions");
  const [{ friendlyTitle: _, ...untitled } = {}] = inputsOf("expositions", [a]);
  const put = await scratch.putList("expositions", [untitled]);
  const after = await scratch.read("expositions");
  if (!isOk(put) || !isOk(after)) throw new Missing("a scratch store that takes expositions");
  return { scratch, types, a, b, created, put, after };
}

export const absent = experiment({
  gap: "expositions.absent",
  cost: 3,
  after: ["stores.create-requirements", "expositions.disabled"],
  needs: NEW_STORE,
  assumes: "All expositions that an upsert does not name are treated in the same way.",
  observe: async function* observe(tools) {
    const { a, b, put, after } = await upsertOne(tools);
    const row = byId(rowsOf(after), b);
    // gap expositions.disabled: a disabled one may be missing
    const isShown = tools.premise("expositions.disabled") === "listed";
    const observed = { status: row?.status, isGone: row === undefined, isShown };
    const state = observed.isGone ? "gone" : String(observed.status);
    const reason = `An exposition that an upsert did not name is ${state}.`;
    const isThere = control(
      "the exposition that it named is still there",
      byId(rowsOf(after), a) !== undefined,
    );
    yield observation(String(b.expositionId), observed, reason, [isThere, succeeds(put)], put, after);
  },
  readings: {
    keep: ({ status }) => status === "active",
    disable: ({ status, isGone, isShown }) => status === "disabled" || (isGone && !isShown),
    delete: ({ isGone }) => isGone,
  },
});

export const response = experiment({
  gap: "expositions.response",
  cost: 0.5,
  after: ["expositions.absent"],
  needs: `${NEW_STORE}, and expositions that an upsert keeps`,
  assumes: "The list after an upsert is complete.",
  observe: async function* observe(tools) {
    const { a, put, after } = await upsertOne(tools);
    const observed = { returned: rowsOf(put).length, all: rowsOf(after).length };
    if (observed.all < 2) throw new Missing("expositions that an upsert keeps");
    const reason = `An upsert of one exposition returned ${observed.returned} of ${observed.all}.`;
    const isReturned = control("the response has the sent exposition", byId(rowsOf(put), a) !== undefined);
    yield observation("upsert", observed, reason, [isReturned, succeeds(after)], put, after);
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

function isDrink(row: JsonObject | undefined): boolean {
  return stringsIn(row?.productCategories).includes("DRINKS");
}

export const matching = experiment<"expositions.matching", Matching>({
  gap: "expositions.matching",
  cost: 2,
  after: ["expositions.response", "expositions.omitted-title"],
  needs: NEW_STORE,
  assumes: "A response to an upsert contains at least the sent elements.",
  observe: async function* observe(tools) {
    const { scratch, a, types } = await upsertOne(tools);
    let isFirst = false;
    await tools.once("matching", async () => {
      isFirst = true;
    });
    if (!isFirst) throw new Missing("expositions that an interrupted attempt did not change");
    const [typeA, , typeC] = types;
    const label = String(a.label);
    const put = await scratch.putList("expositions", [element(label, typeA, ["DRINKS"])]);
    const isStored = control(
      "the response has the sent exposition",
      isOk(put) && rowsOf(put).some((row) => isDrink(row)),
    );
    const byBoth = isDrink(byId(rowsOf(put), a));
    if (!byBoth) {
      const isThere = control(
        "the exposition is still there",
        byId(rowsOf(await scratch.read("expositions")), a) !== undefined,
      );
      const reason =
        "An element without ID created another exposition with the label and type of a stored one.";
      yield observation(label, { byBoth }, reason, [isStored, isThere], put);
      return;
    }
    // first the label of A with another type, then the type of the exposition that now has this label, with another
    // label
    const labelled = await scratch.putList("expositions", [element(label, typeC)]);
    const byLabel = byId(rowsOf(labelled), a)?.expositionType === typeC;
    const target = rowsOf(labelled).find(({ expositionType }) => expositionType === typeC);
    const other = label.replace("A", "C");
    const typed = await scratch.putList("expositions", [element(other, typeC)]);
    const byType = target !== undefined && byId(rowsOf(typed), target)?.label === other;
    const ways = [byLabel ? "label" : "", byType ? "type" : ""].filter((way) => way !== "").join(" and ");
    const reason = `An element without ID changes the exposition with its ${ways === "" ? "label and type together" : ways}.`;
    const isTaken = control(
      "the responses have the sent expositions",
      target !== undefined && find(typed, other, typeC) !== undefined,
    );
    yield observation(label, { byBoth, byLabel, byType }, reason, [isStored, isTaken], put, labelled, typed);
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
  cost: 1,
  after: ["expositions.matching"],
  needs: NEW_STORE,
  assumes: "The same element without an ID would be accepted.",
  observe: async function* observe(tools) {
    const scratch = await newStore(tools);
    const expositionId = tools.uuid();
    const label = `Probe D ${expositionId.slice(0, 4)}`;
    const put = await scratch.putList("expositions", [
      { expositionId, ...element(label, chooseTypes(tools)[1]) },
    ]);
    const row = rowsOf(put).find((one) => one.label === label);
    const observed = {
      status: put.status,
      isMade: row !== undefined,
      hasId: isSameUuid(row?.expositionId, expositionId),
    };
    const created = observed.isMade ? `, which made one with ${observed.hasId ? "this" : "another"} ID` : "";
    const reason = `An element with an unknown ID: status ${put.status}${created}.`;
    // 404 may also mean that the store does not exist
    const controls = [succeeds(await scratch.read("expositions")), isAnswer(put)] as const;
    yield observation(label, observed, reason, controls, put);
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
  const title = row?.friendlyTitle ?? null;
  const reason = `An element without friendlyTitle ${title === null ? "cleared" : "did not clear"} the title.`;
  const isTitled = byId(rowsOf(titled), exposition)?.friendlyTitle === tools.marker;
  const isSet = control("an upsert sets the title", isTitled);
  const isReturned = control("the response has the exposition", row !== undefined);
  const observed = { isCleared: title === null, isKept: title === tools.marker };
  return observation(
    String(exposition.expositionId),
    observed,
    reason,
    [isSet, isReturned],
    titled,
    exchange,
  );
}

const TITLED = "a scratch store with an exposition";

export const omittedTitle = experiment({
  gap: "expositions.omitted-title",
  cost: 1,
  after: ["stores.create-requirements", "expositions.absent"],
  needs: TITLED,
  assumes: "The response to an upsert shows the expositions after it.",
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
