import { hasStatus, isAnswer, succeeds } from "../../controls.ts";
import { bodyOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { unseenParts } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, objectOf, objectsIn } from "../../../../wire/json.ts";
import { isSameUuid } from "./identity.ts";
import { TIMES, isAcceptedWithout, isReadBack, updatableStore } from "./writes.ts";

export const unknownReferences = experiment({
  gap: "stores.unknown-references",
  cost: 1,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "A random UUID is not the ID of a region, and schedules are treated like regions.",
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    const regionId = tools.uuid();
    const exchange = await scratch.put(await scratch.full({ regionId }));
    const observed = { status: exchange.status, isStored: isSameUuid(bodyOf(exchange).regionId, regionId) };
    const reason = `An update with an unknown region: status ${exchange.status}.`;
    const isRead = await isReadBack(tools, exchange, (response) => bodyOf(response).regionId);
    const isAccepted = await isAcceptedWithout(scratch, exchange);
    const controls = [isStored, isRead, isAccepted, isAnswer(exchange)] as const;
    yield observation(scratch.path, observed, reason, controls, exchange);
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
    for (const [part, sent] of unseenParts(tools, DOUBTFUL_TIMES)) {
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

export const unlistedValues = experiment({
  gap: "requests.unlisted-values",
  cost: 1,
  after: ["stores.null-store-type"],
  needs: "a scratch store whose type can be put back",
  assumes: "All enumerations are checked in the same way.",
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    if (!(await scratch.canRestoreType())) throw new Missing("a scratch store with a type");
    const exchange = await scratch.put(await scratch.full({ storeType: "Probe" }));
    const observed = { status: exchange.status, isStored: bodyOf(exchange).storeType === "Probe" };
    const reason = `An update with an unlisted storeType: status ${exchange.status}.`;
    const isRead = await isReadBack(tools, exchange, (response) => bodyOf(response).storeType);
    const isAccepted = await isAcceptedWithout(scratch, exchange);
    const controls = [isStored, isRead, isAccepted, isAnswer(exchange)] as const;
    yield observation(scratch.path, observed, reason, controls, exchange);
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
  assumes: "A body of 11 MB that is checked would also be accepted at any other size.",
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
    yield observation(scratch.path, observed, reason, controls, taken, large);
  },
  readings: {
    "ten-megabytes": { isRefused: true },
    unlimited: { isTaken: true },
  },
});
