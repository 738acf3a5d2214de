import { type Control, control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, stringsIn } from "../../json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { ScratchStore } from "../../scratch.ts";
import { expositionTypes } from "../../../../../generated/store.enums.ts";
import { inputsOf } from "../../store-inputs.ts";
import { isSameUuid } from "./identity.ts";
import { scratchOf, updatableStore } from "./writes.ts";

/*
 * All of these experiments except the last create expositions, which cannot be removed, so they run only on a scratch
 * store that the run created. A response to an upsert contains at least the sent elements, under every reading of
 * `expositions.response`.
 */

const NEW_STORE = "a scratch store that this run creates, which needs --create-scratch-store";

/** Returns four types, others each time: expositions of an earlier attempt may still exist. */
function chooseTypes(tools: ExperimentTools): readonly [string, string, string, string] {
  const at = (Number.parseInt(tools.uuid().slice(0, 4), 16) % 8) * 4;
  const [a = "", b = "", c = "", d = ""] = expositionTypes.slice(at, at + 4);
  return [a, b, c, d];
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

/** Returns the store with the control of its updates. @throws {Missing} if the run did not create its scratch store */
async function newStore(tools: ExperimentTools): ReturnType<typeof updatableStore> {
  if ((await scratchOf(tools)).isNew) return updatableStore(tools);
  throw new Missing(NEW_STORE);
}

/** The state of three expositions after an upsert that named the first without its title, and disabled the third. */
interface Upsert {
  readonly scratch: ScratchStore;
  readonly types: readonly [string, string, string, string];
  readonly a: JsonObject;
  readonly b: JsonObject;
  readonly disabled: JsonObject;
  readonly created: Exchange;
  readonly put: Exchange;
  readonly after: Exchange;
  /** The list after the upsert shows what it changed, and updates of the store are stored. */
  readonly isApplied: Control;
}

const TAKING = "a scratch store that takes expositions";

/** Creates three expositions and upserts two of them, once in a round. */
async function upsert(tools: ExperimentTools): Promise<Upsert> {
  const { scratch, isStored } = await newStore(tools);
  return tools.once("upsert", () => sendUpsert(tools, scratch, isStored));
}

async function sendUpsert(tools: ExperimentTools, scratch: ScratchStore, isStored: Control): Promise<Upsert> {
  const id = tools.uuid().slice(0, 4);
  const types = chooseTypes(tools);
  const [typeA, typeB, , typeD] = types;
  const created = await scratch.putList("expositions", [
    { ...element(`Probe A ${id}`, typeA), friendlyTitle: tools.marker },
    element(`Probe B ${id}`, typeB),
    element(`Probe E ${id}`, typeD),
  ]);
  const [a, b, disabled] = [
    find(created, `Probe A ${id}`, typeA),
    find(created, `Probe B ${id}`, typeB),
    find(created, `Probe E ${id}`, typeD),
  ];
  if (!isOk(created) || !a || !b || !disabled) throw new Missing(TAKING);
  const [{ friendlyTitle: _, ...untitled } = {}] = inputsOf("expositions", [a]);
  const both = await scratch.putList("expositions", [untitled, withStatus(disabled, "disabled")]);
  const put = isOk(both) ? both : await scratch.putList("expositions", [untitled]);
  const after = await scratch.read("expositions");
  if (!isOk(put) || !isOk(after)) throw new Missing(TAKING);
  const isChanged = !isOk(both) || byId(rowsOf(after), disabled)?.status !== "active";
  const isApplied = control("the list shows what an upsert changed", isStored.holds && isChanged);
  return { scratch, types, a, b, disabled, created, put, after, isApplied };
}

function withStatus(exposition: JsonObject, status: string): JsonObject {
  return { ...inputsOf("expositions", [exposition])[0], status };
}

const DISABLED = "an upsert that disables an exposition";

export const disabledExpositions = experiment({
  gap: "expositions.disabled",
  cost: 0.8,
  after: ["stores.create-requirements"],
  needs: `${NEW_STORE}, and ${DISABLED}`,
  assumes: "An exposition that an upsert disables is like any disabled one.",
  observe: async function* observe(tools) {
    const { scratch, disabled, put, after } = await upsert(tools);
    const statusIn = (exchange: Exchange): unknown => byId(rowsOf(exchange), disabled)?.status;
    if (statusIn(after) === "active") throw new Missing(DISABLED);
    const isListed = statusIn(after) === "disabled";
    const enabled = isListed ? after : await scratch.putList("expositions", [withStatus(disabled, "active")]);
    const isDisabled = control(
      "the exposition is listed as disabled, or is listed again after it was enabled",
      isListed || (statusIn(after) === undefined && statusIn(enabled) === "active"),
    );
    const reason = `The list ${isListed ? "contains" : "does not contain"} an exposition after it was disabled.`;
    yield observation(
      String(disabled.expositionId),
      isListed,
      reason,
      [isDisabled, succeeds(after)],
      put,
      after,
    );
  },
  readings: { listed: true, "left-out": false },
});

export const absent = experiment({
  gap: "expositions.absent",
  cost: 0.2,
  after: ["stores.create-requirements", "expositions.disabled"],
  needs: NEW_STORE,
  assumes: "All expositions that an upsert does not name are treated in the same way.",
  observe: async function* observe(tools) {
    const { a, b, put, after, isApplied } = await upsert(tools);
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
    yield observation(
      String(b.expositionId),
      observed,
      reason,
      [isThere, isApplied, succeeds(put)],
      put,
      after,
    );
  },
  readings: {
    keep: { status: "active" },
    disable: ({ status, isGone, isShown }) => status === "disabled" || (isGone && !isShown),
    delete: { isGone: true },
  },
});

export const response = experiment({
  gap: "expositions.response",
  cost: 0.2,
  after: ["expositions.absent"],
  needs: `${NEW_STORE}, and expositions that an upsert keeps`,
  assumes: "The list after an upsert is complete.",
  observe: async function* observe(tools) {
    const { a, b, disabled, put, after, isApplied } = await upsert(tools);
    const [returned, all] = [rowsOf(put), rowsOf(after)];
    if (byId(all, b) === undefined) throw new Missing("expositions that an upsert keeps");
    const observed = {
      areAll: all.every((row) => byId(returned, row) !== undefined),
      areSent: returned.every((row) => byId([a, disabled], row) !== undefined),
    };
    const reason = `An upsert of two expositions returned ${returned.length}; the list has ${all.length}.`;
    const isReturned = control("the response has the sent exposition", byId(returned, a) !== undefined);
    yield observation("upsert", observed, reason, [isReturned, isApplied, succeeds(after)], put, after);
  },
  readings: {
    all: { areAll: true },
    sent: ({ areAll, areSent }) => areSent && !areAll,
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
  cost: 2.8,
  after: ["expositions.response", "expositions.omitted-title"],
  needs: NEW_STORE,
  assumes: "A response to an upsert contains at least the sent elements.",
  observe: async function* observe(tools) {
    const { scratch, a, types, isApplied } = await upsert(tools);
    let isFirst = false;
    await tools.once("matching", async () => {
      isFirst = true;
    });
    if (!isFirst) throw new Missing("expositions that an interrupted attempt did not change");
    const [typeA, , typeC] = types;
    const label = String(a.label);
    /** The list contains expositions that an upsert returned: servers that share no data would lack them. */
    const areListed = async (...rows: readonly (JsonObject | undefined)[]): Promise<Control> => {
      const listed = rowsOf(await scratch.read("expositions"));
      const isListed = rows.every((row) => row !== undefined && byId(listed, row) !== undefined);
      return control("the list contains the expositions of the upserts", isListed);
    };
    const put = await scratch.putList("expositions", [element(label, typeA, ["DRINKS"])]);
    const drink = rowsOf(put).find((row) => isDrink(row));
    const isStored = control("the response has the sent exposition", isOk(put) && drink !== undefined);
    const byBoth = isDrink(byId(rowsOf(put), a));
    if (!byBoth) {
      const reason =
        "An element without ID created another exposition with the label and type of a stored one.";
      const controls = [isStored, isApplied, await areListed(a, drink)] as const;
      yield observation(label, { byBoth }, reason, controls, put);
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
    const isTaken = control("the responses have the sent expositions", target !== undefined);
    // gap expositions.absent: what the last upsert did not name may be gone
    const controls = [isStored, isApplied, isTaken, await areListed(find(typed, other, typeC))] as const;
    yield observation(label, { byBoth, byLabel, byType }, reason, controls, put, labelled, typed);
  },
  readings: {
    "always-new": { byBoth: false },
    label: ({ byBoth, byLabel, byType }) => byBoth && byLabel === true && byType === false,
    type: ({ byBoth, byLabel, byType }) => byBoth && byLabel === false && byType === true,
    "label-and-type": ({ byBoth, byLabel, byType }) => byBoth && byLabel === false && byType === false,
  },
});

export const unknownId = experiment({
  gap: "expositions.unknown-id",
  cost: 1.4,
  after: ["expositions.matching"],
  needs: NEW_STORE,
  assumes: "The same element without an ID would be accepted.",
  observe: async function* observe(tools) {
    const { scratch, isStored } = await newStore(tools);
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
    // 404 may also mean that the store does not exist, which the end of the run shows
    yield observation(label, observed, reason, [isStored, isAnswer(put)], put);
  },
  readings: {
    created: { status: 200, isMade: true, hasId: true },
    "created-with-new-id": { status: 200, isMade: true, hasId: false },
    "not-found": { status: 404 },
    invalid: { status: 400 },
  },
});

/** The title after an upsert without `friendlyTitle`. */
function observeTitle(
  tools: ExperimentTools,
  [titled, exchange]: readonly [Exchange, Exchange],
  exposition: JsonObject,
  isApplied: Control,
) {
  const row = byId(rowsOf(exchange), exposition);
  const title = row?.friendlyTitle ?? null;
  const reason = `An element without friendlyTitle ${title === null ? "cleared" : "did not clear"} the title.`;
  const isTitled = byId(rowsOf(titled), exposition)?.friendlyTitle === tools.marker;
  const isSet = control("an upsert sets the title", isTitled);
  const isReturned = control("the response has the exposition", row !== undefined);
  const observed = { isCleared: title === null, isKept: title === tools.marker };
  const controls = [isSet, isReturned, isApplied] as const;
  return observation(String(exposition.expositionId), observed, reason, controls, titled, exchange);
}

const TITLED = "a scratch store with an exposition";

export const omittedTitle = experiment({
  gap: "expositions.omitted-title",
  cost: 0.2,
  after: ["stores.create-requirements", "expositions.absent"],
  needs: TITLED,
  assumes: "The response to an upsert shows the expositions after it.",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    if (scratch.isNew) {
      const { a, created, put, isApplied } = await upsert(tools);
      yield observeTitle(tools, [created, put], a, isApplied);
      return;
    }
    const [first, ...others] = inputsOf("expositions", await scratch.list("expositions"));
    if (first === undefined) throw new Missing(TITLED);
    const titled = await scratch.putList("expositions", [
      { ...first, friendlyTitle: tools.marker },
      ...others,
    ]);
    const { friendlyTitle: _, ...untitled } = first;
    const put = await scratch.putList("expositions", [untitled, ...others]);
    yield observeTitle(tools, [titled, put], first, succeeds(put));
  },
  readings: { cleared: { isCleared: true }, kept: { isKept: true } },
});
