import { hasStatus, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, rowsOf } from "../../exchange.ts";
import { type Control, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openEntries, openParts } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, objectOf, objectsIn } from "../../../../wire/json.ts";
import type { ScratchStore } from "../../scratch.ts";
import { isSameUuid } from "./identity.ts";
import { replaceableLists } from "./list-writes.ts";
import { TIMES, isAcceptedWithout, isReadBack, updatableStore } from "./writes.ts";

const REFERENCES = ["regionId", "protocolScheduleId"] as const;

export const unknownReferences = experiment({
  gap: "stores.unknown-references",
  cost: 1,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "A random UUID is the ID of neither a region nor a schedule.",
  parts: REFERENCES,
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    for (const name of openParts(tools, REFERENCES)) {
      const id = tools.uuid();
      const exchange = await scratch.put(await scratch.full({ [name]: id }));
      const observed = { status: exchange.status, isStored: isSameUuid(bodyOf(exchange)[name], id) };
      const reason = `An update with an unknown ${name}: status ${exchange.status}.`;
      const isRead = await isReadBack(tools, exchange, (response) => bodyOf(response)[name]);
      const isAccepted = await isAcceptedWithout(scratch, exchange);
      const controls = [isStored, isRead, isAccepted, isAnswer(exchange)] as const;
      yield observation(name, observed, reason, controls, exchange);
    }
  },
  readings: {
    stored: { status: 200, isStored: true },
    invalid: { status: 400, isStored: false },
    "not-found": { status: 404, isStored: false },
  },
});

/** Opening times that a service may refuse. */
const DOUBTFUL_TIMES: Readonly<Record<string, readonly JsonObject[]>> = {
  "of one weekday": [...TIMES, { weekday: 1, from: "16:00", to: "20:00" }],
  "that overlap": [...TIMES, { weekday: 1, from: "10:00", to: "14:00" }],
  "that end before they begin": [{ weekday: 2, from: "20:00", to: "08:00" }],
};

export const openingTimes = experiment({
  gap: "stores.opening-times",
  cost: 1.2,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "The service checks all days of the week in the same way.",
  parts: Object.keys(DOUBTFUL_TIMES),
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    for (const [part, sent] of openEntries(tools, DOUBTFUL_TIMES)) {
      const before = await scratch.set({ openingTimes: TIMES });
      const exchange = await scratch.put(await scratch.full({ openingTimes: sent }));
      const { openingTimes: times } = bodyOf(exchange);
      const count = Array.isArray(times) ? times.length : undefined;
      const reason = `Opening times ${part}: status ${exchange.status}, ${count ?? "no"} opening times.`;
      const isRead = await isReadBack(tools, exchange, (read) => bodyOf(read).openingTimes);
      const isAccepted = await isAcceptedWithout(scratch, exchange);
      const controls = [succeeds(before), isStored, isRead, isAccepted, isAnswer(exchange)] as const;
      const observed = { status: exchange.status, isWhole: count === sent.length };
      yield observation(part, observed, reason, controls, before, exchange);
    }
  },
  readings: {
    stored: { status: 200, isWhole: true },
    rejected: { status: 400 },
  },
});

const UNLISTED = ["stores", "contacts", "expectations"] as const;

/** A write with a value that the contract does not list. */
interface UnlistedValue {
  readonly exchange: Exchange;
  readonly valueIn: (exchange: Exchange) => unknown;
  readonly isAccepted: Control;
}

async function unlistedType(scratch: ScratchStore): Promise<UnlistedValue | undefined> {
  if (!(await scratch.canRestoreType())) return undefined;
  const exchange = await scratch.put(await scratch.full({ storeType: "Probe" }));
  const isAccepted = await isAcceptedWithout(scratch, exchange);
  return { exchange, valueIn: (response) => bodyOf(response).storeType, isAccepted };
}

async function unlistedElement(
  tools: ExperimentTools,
  name: "contacts" | "expectations",
): Promise<UnlistedValue | undefined> {
  const property = name === "contacts" ? "contactType" : "productCategory";
  for await (const { scratch, row, ...list } of replaceableLists(tools)) {
    if (list.name !== name) continue;
    const exchange = await scratch.lists.put(name, [{ ...row, [property]: "Probe" }]);
    const isAccepted = await isAcceptedWithout(scratch, exchange, () => scratch.lists.put(name, [row]));
    return { exchange, valueIn: (response) => rowsOf(response)[0]?.[property], isAccepted };
  }
  return undefined;
}

export const unlistedValues = experiment({
  gap: "requests.unlisted-values",
  cost: 1,
  after: ["stores.null-store-type"],
  needs: "a scratch store whose type can be put back",
  assumes: "Expositions are checked like expectations.",
  parts: UNLISTED,
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    for (const part of openParts(tools, UNLISTED)) {
      const unlisted = part === "stores" ? await unlistedType(scratch) : await unlistedElement(tools, part);
      if (unlisted === undefined) continue;
      const { exchange, valueIn, isAccepted } = unlisted;
      const observed = { status: exchange.status, isStored: valueIn(exchange) === "Probe" };
      const reason = `An unlisted value in the body of ${part}: status ${exchange.status}.`;
      const isRead = await isReadBack(tools, exchange, valueIn);
      const controls = [isStored, isRead, isAccepted, isAnswer(exchange)] as const;
      yield observation(part, observed, reason, controls, exchange);
    }
    throw new Missing("a scratch store with a type, without contacts and without expectations");
  },
  readings: {
    rejected: { status: 400 },
    accepted: { status: 200, isStored: true },
  },
});

/** Returns a body of a given size and the wrong type: if its size is allowed, it is rejected for its type. */
function padded(megabytes: number): string {
  return `{"contacts":"${"x".repeat(megabytes * 1_000_000)}"}`;
}

export const bodySize = experiment({
  gap: "limits.body-size",
  cost: 2,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "A limit is not just above 11 MB, or just below 9 MB.",
  // no request shows that there is no limit
  parts: ["a limit"],
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    const large = await scratch.sendRefused(padded(11));
    const isRefused = large.status === 413;
    // a service may refuse a large body with 400: the error must be that of the type
    const { issues } = objectOf(bodyOf(large).error);
    if (large.status === 400 && !objectsIn(issues).some(({ path }) => path === "contacts"))
      throw new Missing("a service that names the property of a wrong type");
    // without a body that is accepted, every body could get a 413
    const taken = isRefused ? await scratch.sendRefused(padded(9)) : large;
    const observed = { isTaken: large.status === 400, isRefused };
    const reason = `A body of 11 MB: status ${large.status}${isRefused ? `, one of 9 MB: status ${taken.status}` : ""}.`;
    // a service that takes no writes at all would also check a body of any size
    const controls = [isStored, hasStatus(taken, 400), isAnswer(large)] as const;
    yield observation(isRefused ? "a limit" : "11 MB", observed, reason, controls, taken, large);
  },
  readings: {
    "ten-megabytes": { isRefused: true },
    unlimited: { isTaken: true },
  },
});
