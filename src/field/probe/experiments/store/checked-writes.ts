import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { isSameUuid } from "./identity.ts";
import { createExposition } from "./exposition-writes.ts";
import { scratchOf, storesUpdates } from "./writes.ts";

export const unknownReferences = experiment({
  gap: "stores.unknown-references",
  cost: 1,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  assumes: "A random UUID is not the ID of a region, and schedules are treated like regions.",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    const regionId = tools.uuid();
    const exchange = await scratch.put(await scratch.full({ regionId }));
    const isPositive = await storesUpdates(tools);
    const observed = { status: exchange.status, isStored: isSameUuid(bodyOf(exchange).regionId, regionId) };
    const reason = `An update with an unknown region: status ${exchange.status}.`;
    const controls = [isPositive, isAnswer(exchange)] as const;
    yield observation(scratch.path, observed, reason, controls, exchange);
  },
  readings: {
    stored: ({ status, isStored }) => status === 200 && isStored,
    invalid: ({ status, isStored }) => status === 400 && !isStored,
    "not-found": ({ status, isStored }) => status === 404 && !isStored,
  },
});

const MORNING = { weekday: 1, from: "08:00", to: "12:00" } as const;
const EVENING = { weekday: 1, from: "16:00", to: "20:00" } as const;

export const openingTimes = experiment({
  gap: "stores.opening-times",
  cost: 2,
  after: ["stores.null-opening-times"],
  needs: "a scratch store",
  assumes: "Opening times that end before they begin are treated like two of one weekday.",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    const one = await scratch.put(await scratch.full({ openingTimes: [MORNING] }));
    const exchange = await scratch.put(await scratch.full({ openingTimes: [MORNING, EVENING] }));
    const { openingTimes: times } = bodyOf(exchange);
    const count = Array.isArray(times) ? times.length : undefined;
    const reason = `Two opening times of one weekday: status ${exchange.status}, ${count ?? "no"} opening times.`;
    const isStored = await storesUpdates(tools);
    const controls = [succeeds(one), isStored, isAnswer(exchange)] as const;
    yield observation(scratch.path, { status: exchange.status, count }, reason, controls, one, exchange);
  },
  readings: {
    stored: ({ status, count }) => status === 200 && count === 2,
    rejected: ({ status }) => status === 400,
  },
});

export const disabledExpositions = experiment({
  gap: "expositions.disabled",
  cost: 2,
  after: ["stores.create-requirements"],
  needs: "a scratch store that this run creates, which needs --create-scratch-store",
  assumes: "An exposition that an upsert disables is like any disabled one.",
  observe: async function* observe(tools) {
    const { scratch, a, inputs } = await createExposition(tools);
    const put = await scratch.putList("expositions", [{ ...inputs, status: "disabled" }]);
    const after = await scratch.read("expositions");
    const own = (exchange: Exchange) =>
      rowsOf(exchange).find((row) => row.expositionId === a.expositionId)?.status;
    const isListed = own(after) === "disabled";
    const enabled = isListed
      ? after
      : await scratch.putList("expositions", [{ ...inputs, status: "active" }]);
    const isDisabled = control(
      "the exposition is listed as disabled, or is listed again after it was enabled",
      isListed || (own(after) === undefined && own(enabled) === "active"),
    );
    const reason = `The list ${isListed ? "contains" : "does not contain"} an exposition after it was disabled.`;
    if (!isOk(put)) throw new Missing("an upsert that disables an exposition");
    yield observation(String(a.expositionId), isListed, reason, [isDisabled, succeeds(after)], put, after);
  },
  readings: { listed: (isListed) => isListed, "left-out": (isListed) => !isListed },
});
