import { isAnswer, succeeds } from "../../controls.ts";
import { bodyOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
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
    const isRead = await isReadBack(tools, exchange, (one) => bodyOf(one).regionId);
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

const EVENING = { weekday: 1, from: "16:00", to: "20:00" } as const;

export const openingTimes = experiment({
  gap: "stores.opening-times",
  cost: 1.2,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "Opening times that end before they begin are treated like two of one weekday.",
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    const one = await scratch.set({ openingTimes: TIMES });
    const exchange = await scratch.put(await scratch.full({ openingTimes: [...TIMES, EVENING] }));
    const { openingTimes: times } = bodyOf(exchange);
    const count = Array.isArray(times) ? times.length : undefined;
    const reason = `Two opening times of one weekday: status ${exchange.status}, ${count ?? "no"} opening times.`;
    const isRead = await isReadBack(tools, exchange, (read) => bodyOf(read).openingTimes);
    const isAccepted = await isAcceptedWithout(scratch, exchange);
    const controls = [succeeds(one), isStored, isRead, isAccepted, isAnswer(exchange)] as const;
    yield observation(scratch.path, { status: exchange.status, count }, reason, controls, one, exchange);
  },
  readings: {
    stored: { status: 200, count: 2 },
    rejected: { status: 400 },
  },
});
