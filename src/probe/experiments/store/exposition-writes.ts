import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { Missing, experiment, proof } from "../../experiment.ts";
import type { JsonObject } from "../../json.ts";
import type { Lab } from "../../lab.ts";
import type { ScratchStore } from "../../scratch.ts";
import { currentExpositions } from "./list-writes.ts";
import { scratchOf } from "./writes.ts";

/*
 * These experiments make expositions that cannot be removed, so they run only on a scratch store that the run made.
 */

const NEW_STORE = "a scratch store that does not exist yet; the run makes it, and it stays";

const TYPES = ["DRINKS_DRINK_FRIDGE", "BREADS_BREAD_RACK", "ROLLS_BREAD_RACK"] as const;

function element(label: string, expositionType: string): JsonObject {
  return { label, friendlyTitle: null, productCategories: [], expositionType, status: "active" };
}

/** A store of this run with exactly two active expositions whose labels and types differ, and their names. */
async function twoExpositions(lab: Lab, name: string): Promise<{ scratch: ScratchStore; a: JsonObject; b: JsonObject }> {
  const scratch = await scratchOf(lab);
  if (!scratch.isNew) throw new Missing(NEW_STORE);
  const before = await currentExpositions(scratch);
  const made = [element(`${name} A`, TYPES[0]), element(`${name} B`, TYPES[1])];
  const exchange = await scratch.putList("expositions", [...before, ...made]);
  if (!isOk(exchange)) throw new Missing("a scratch store that takes expositions");
  const rows = await currentExpositions(scratch);
  const [a, b] = ["A", "B"].map((letter) => rows.find(({ label }) => label === `${name} ${letter}`));
  if (a === undefined || b === undefined) throw new Missing("a scratch store that keeps expositions");
  return { scratch, a, b };
}

function byId(rows: readonly JsonObject[], { expositionId }: JsonObject): JsonObject | undefined {
  return rows.find((row) => row.expositionId === expositionId);
}

export const absent = experiment({
  gap: "expositions.absent",
  consent: "write",
  cost: 4,
  after: ["stores.create-requirements"],
  needs: NEW_STORE,
  observe: async function* observe(lab) {
    const { scratch, a, b } = await twoExpositions(lab, "Absent");
    const put = await scratch.putList("expositions", [a]);
    const after = await scratch.read("expositions");
    const row = byId(rowsOf(after), b);
    if (!isOk(put) || !isOk(after)) throw new Missing("a scratch store that takes expositions");
    const seen = { status: row?.status, isGone: row === undefined };
    yield proof(seen, `An exposition that an upsert did not name is ${seen.isGone ? "gone" : String(seen.status)}.`, put, after);
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
  cost: 4,
  after: ["expositions.absent"],
  needs: `${NEW_STORE}, and expositions that an upsert keeps`,
  observe: async function* observe(lab) {
    if (lab.reading("expositions.absent") === "delete") throw new Missing("expositions that an upsert keeps");
    const { scratch, a } = await twoExpositions(lab, "Response");
    const put = await scratch.putList("expositions", [a]);
    const after = await scratch.read("expositions");
    if (!isOk(put) || !isOk(after)) throw new Missing("a scratch store that takes expositions");
    const seen = { answered: rowsOf(put).length, all: rowsOf(after).length };
    yield proof(seen, `An upsert of one exposition answered ${seen.answered} of ${seen.all}.`, put, after);
  },
  readings: {
    all: ({ answered, all }) => answered === all && all > 1,
    "sent-only": ({ answered, all }) => answered === 1 && all > 1,
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
  cost: 4,
  after: ["stores.create-requirements"],
  needs: NEW_STORE,
  observe: async function* observe(lab) {
    const { scratch, a, b } = await twoExpositions(lab, "Match");
    const others = (await currentExpositions(scratch)).filter(({ expositionId }) => expositionId !== a.expositionId);
    const changed = { ...element("Match A", TYPES[0]), productCategories: ["DRINKS"] };
    const put = await scratch.putList("expositions", [...others, changed]);
    const after = await currentExpositions(scratch);
    const both = byId(after, a)?.productCategories;
    const byBoth = Array.isArray(both) && both.length === 1;
    if (!isOk(put)) throw new Missing("a scratch store that takes expositions without ID");
    if (!byBoth) {
      yield proof({ byBoth }, "An element with label and type of an exposition did not change it.", put);
      return;
    }
    const seen = { byBoth, ...(await matchedApart(scratch, a, b)) };
    const ways = [seen.byLabel && "label", seen.byType && "type"].filter(Boolean).join(" and ");
    yield proof(seen, `An element without ID changes the exposition with its ${ways || "label and type together"}.`, put, ...seen.evidence);
  },
  readings: {
    "always-new": ({ byBoth }) => !byBoth,
    label: ({ byBoth, byLabel, byType }) => byBoth && byLabel === true && byType === false,
    type: ({ byBoth, byLabel, byType }) => byBoth && byLabel === false && byType === true,
    "label-and-type": ({ byBoth, byLabel, byType }) => byBoth && byLabel === false && byType === false,
  },
});

/** Sends one element with the label of A alone, then one with the type of B alone. */
async function matchedApart(scratch: ScratchStore, a: JsonObject, b: JsonObject) {
  const evidence: Exchange[] = [];
  const isChanged = async (target: JsonObject, sent: JsonObject): Promise<boolean> => {
    const rows = await currentExpositions(scratch);
    const others = rows.filter(({ expositionId }) => expositionId !== target.expositionId);
    evidence.push(await scratch.putList("expositions", [...others, sent]));
    const row = byId(await currentExpositions(scratch), target);
    return row?.label === sent.label && row?.expositionType === sent.expositionType;
  };
  // the type of neither, then the label of neither
  const byLabel = await isChanged(a, element(String(a.label), TYPES[2]));
  const byType = await isChanged(b, element("Match C", String(b.expositionType)));
  return { byLabel, byType, evidence };
}

export const unknownId = experiment({
  gap: "expositions.unknown-id",
  consent: "write",
  cost: 2,
  after: ["stores.create-requirements"],
  needs: NEW_STORE,
  observe: async function* observe(lab) {
    const scratch = await scratchOf(lab);
    if (!scratch.isNew) throw new Missing(NEW_STORE);
    const before = await currentExpositions(scratch);
    const expositionId = lab.uuid();
    const put = await scratch.putList("expositions", [...before, { expositionId, ...element("Unknown", TYPES[2]) }]);
    const rows = isOk(put) ? await currentExpositions(scratch) : [];
    const hasId = rows.some((row) => row.expositionId === expositionId);
    const isNew = rows.length === before.length + 1;
    const made = isNew ? `, which made one with ${hasId ? "this" : "another"} ID` : "";
    yield proof({ status: put.status, hasId, isNew }, `An element with an unknown ID: status ${put.status}${made}.`, put);
  },
  readings: {
    created: ({ status, hasId, isNew }) => status === 200 && hasId && isNew,
    "created-anew": ({ status, hasId, isNew }) => status === 200 && !hasId && isNew,
    "not-found": ({ status }) => status === 404,
    invalid: ({ status }) => status === 400,
  },
});
