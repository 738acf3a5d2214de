import { type Control, control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, stringsIn } from "../../../../wire/json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { inputsOf } from "../../store-inputs.ts";
import { byId, chooseTypes, element, find, newStore, upsert, withStatus } from "./upserts.ts";
import { isSameUuid } from "./identity.ts";
import { NEW_STORE, isAcceptedWithout, isReadBack, scratchOf } from "./writes.ts";

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
    const enabled = isListed
      ? after
      : await scratch.lists.put("expositions", [withStatus(disabled, "active")]);
    const isDisabled = control(
      "the exposition is listed as disabled, or is listed again after it was enabled",
      isListed || (statusIn(after) === undefined && statusIn(enabled) === "active"),
    );
    const reason = `The list ${isListed ? "contains" : "does not contain"} an exposition after it was disabled.`;
    const controls = [isDisabled, succeeds(after)] as const;
    yield observation(String(disabled.expositionId), isListed, reason, controls, put, after);
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
    const controls = [isThere, isApplied, succeeds(put)] as const;
    yield observation(String(b.expositionId), observed, reason, controls, put, after);
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

/** Whether two forms of an exposition have the same label and type. */
function isAlike(row: JsonObject | undefined, other: JsonObject): boolean {
  return row?.label === other.label && row?.expositionType === other.expositionType;
}

export const matching = experiment<"expositions.matching", Matching>({
  gap: "expositions.matching",
  cost: 2.8,
  after: ["expositions.response", "expositions.omitted-title"],
  needs: NEW_STORE,
  assumes: "A response to an upsert contains at least the sent elements.",
  observe: async function* observe(tools) {
    const { scratch, a, types, isApplied } = await upsert(tools);
    const attempt = {};
    const first = await tools.once("matching", async () => attempt);
    if (first !== attempt) throw new Missing("expositions that an interrupted attempt did not change");
    const [typeA, , typeC] = types;
    const label = String(a.label);
    /** The list contains expositions that an upsert returned: servers that share no data would lack them. */
    const areListed = async (...rows: readonly (JsonObject | undefined)[]): Promise<Control> => {
      const listed = rowsOf(await scratch.lists.read("expositions"));
      const isListed = rows.every((row) => row !== undefined && isAlike(byId(listed, row), row));
      return control("the list contains the expositions of the upserts", isListed);
    };
    const put = await scratch.lists.put("expositions", [element(label, typeA, ["DRINKS"])]);
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
    const labelled = await scratch.lists.put("expositions", [element(label, typeC)]);
    const byLabel = byId(rowsOf(labelled), a)?.expositionType === typeC;
    const target = rowsOf(labelled).find(({ expositionType }) => expositionType === typeC);
    const other = label.replace("A", "C");
    const typed = await scratch.lists.put("expositions", [element(other, typeC)]);
    const byType = target !== undefined && byId(rowsOf(typed), target)?.label === other;
    const ways = [byLabel ? "label" : "", byType ? "type" : ""].filter((way) => way !== "").join(" and ");
    const reason = `An element without ID changes the exposition with its ${ways === "" ? "label and type together" : ways}.`;
    const isTaken = control("the responses have the sent expositions", target !== undefined);
    // gap expositions.absent: what the last upsert did not name may be gone; the first round asks as little as possible
    const listed = tools.round === 1 ? [] : [await areListed(find(typed, other, typeC))];
    const controls = [isStored, isApplied, isTaken, ...listed] as const;
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
    const plain = element(label, chooseTypes(tools)[1]);
    const put = await scratch.lists.put("expositions", [{ expositionId, ...plain }]);
    const row = rowsOf(put).find((listed) => listed.label === label);
    const observed = {
      status: put.status,
      isMade: row !== undefined,
      hasId: isSameUuid(row?.expositionId, expositionId),
    };
    const created = observed.isMade ? `, which made one with ${observed.hasId ? "this" : "another"} ID` : "";
    const reason = `An element with an unknown ID: status ${put.status}${created}.`;
    const isRead = await isReadBack(
      tools,
      put,
      (page) => rowsOf(page).find((listed) => listed.label === label)?.expositionId,
    );
    const isAccepted = await isAcceptedWithout(scratch, put, () => scratch.lists.put("expositions", [plain]));
    yield observation(label, observed, reason, [isStored, isRead, isAccepted, isAnswer(put)], put);
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

const TITLED = "a new scratch store, or one whose list of expositions contains a disabled one";

export const omittedTitle = experiment({
  gap: "expositions.omitted-title",
  cost: 0.2,
  after: ["stores.create-requirements", "expositions.absent"],
  needs: TITLED,
  assumes: "No other client changes the scratch store.",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    if (scratch.isNew) {
      const { a, created, after, isApplied } = await upsert(tools);
      yield observeTitle(tools, [created, after], a, isApplied);
      return;
    }
    const listed = await scratch.lists.get("expositions");
    const [first, ...others] = inputsOf("expositions", listed);
    // gaps expositions.absent, expositions.disabled: an upsert may delete those that the list leaves out
    const isWhole = listed.some(({ status }) => status === "disabled");
    if (first === undefined || !isWhole) throw new Missing(TITLED);
    const titled = await scratch.lists.put("expositions", [
      { ...first, friendlyTitle: tools.marker },
      ...others,
    ]);
    const { friendlyTitle: _, ...untitled } = first;
    const put = await scratch.lists.put("expositions", [untitled, ...others]);
    const after = await scratch.lists.read("expositions");
    const [returned, read] = [put, after].map(
      (exchange) => byId(rowsOf(exchange), first)?.friendlyTitle ?? null,
    );
    const isApplied = control("the list has the title of the response to the upsert", returned === read);
    yield observeTitle(tools, [titled, after], first, isApplied);
  },
  readings: { cleared: { isCleared: true }, kept: { isKept: true } },
});
