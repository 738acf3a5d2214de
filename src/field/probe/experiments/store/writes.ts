import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { objectOf } from "../../json.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import type { ScratchStore } from "../../scratch.ts";
import { storePage, storePath } from "./data.ts";

/** Returns the store that writes may change. @throws {Missing} if the run has no such store */
export async function scratchOf({ scratch }: ExperimentTools): Promise<ScratchStore> {
  if (scratch === undefined) throw new Missing("a scratch store");
  await scratch.saved();
  return scratch;
}

/** Checks that the service accepts an update with every field. @throws {Missing} if it does not */
async function control(scratch: ScratchStore): Promise<void> {
  if (!(await scratch.takesFull()))
    throw new Missing("a scratch store that takes an update with every field");
}

const CREATED = "a scratch store that this run creates, which needs --create-scratch-store";

interface Creation {
  readonly empty: number;
  readonly named?: number;
  readonly filled?: number;
}

export const createRequirements = experiment<"stores.create-requirements", Creation>({
  gap: "stores.create-requirements",
  consent: "write",
  cost: 0.5,
  needs: CREATED,
  observe: async function* observe(tools) {
    const { scratch } = tools;
    if (scratch === undefined || (await scratch.exists())) throw new Missing(CREATED);
    const empty = await scratch.create({});
    if (isOk(empty)) {
      yield conclusiveResult({ empty: empty.status }, "An empty body created a store.", empty);
      return;
    }
    const named = await scratch.create({ name: tools.marker });
    if (isOk(named)) {
      const observed = { empty: empty.status, named: named.status };
      yield conclusiveResult(
        observed,
        `A body without name: status ${empty.status}; with nothing else it created a store.`,
        empty,
        named,
      );
      return;
    }
    const [{ protocolScheduleId } = { protocolScheduleId: tools.uuid() }] = rowsOf(await storePage(tools));
    const flags = { protocolCronEnabled: false, onboardingComplete: false };
    const filled = await scratch.create({
      name: tools.marker,
      protocolScheduleId,
      loginCode: "000000",
      ...flags,
    });
    const observed = { empty: empty.status, named: named.status, filled: filled.status };
    yield conclusiveResult(
      observed,
      `A body with only name: status ${named.status}; with all five fields: ${filled.status}.`,
      empty,
      named,
      filled,
    );
  },
  readings: {
    "none-required": ({ empty }) => empty === 200,
    "non-null-fields": ({ empty, named, filled }) => empty === 400 && named === 400 && filled === 200,
    "name-only": ({ empty, named }) => empty === 400 && named === 200,
  },
});

export const nullStoreType = experiment({
  gap: "stores.null-store-type",
  consent: "write",
  cost: 1,
  after: ["stores.create-requirements"],
  needs: "a scratch store",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    const exchange = await scratch.put({ ...(await scratch.full()), storeType: null });
    if (exchange.status === 400) scratch.omitsNullType = true;
    // every field may be required, in which case the response does not show which of them was rejected
    if (!isOk(exchange)) await control(scratch);
    const observed = { status: exchange.status, isNull: bodyOf(exchange).storeType === null };
    yield conclusiveResult(observed, `An update with storeType null: status ${exchange.status}.`, exchange);
  },
  readings: {
    accepted: ({ status, isNull }) => status === 200 && isNull,
    rejected: ({ status }) => status === 400,
  },
});

export const omittedFields = experiment({
  gap: "stores.omitted-fields",
  consent: "write",
  cost: 2,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    const { name } = await scratch.saved();
    await control(scratch);
    const before = await scratch.put(await scratch.full({ location: tools.marker }));
    const exchange = await scratch.put({ name });
    const { location } = bodyOf(exchange);
    const observed = {
      status: exchange.status,
      isKept: location === tools.marker,
      isReset: location === null,
    };
    const what = observed.isKept ? "kept" : "did not keep";
    const reason = `An update without location: status ${exchange.status}${isOk(exchange) ? `, which ${what} it` : ""}.`;
    yield conclusiveResult(observed, reason, before, exchange);
  },
  readings: {
    keep: ({ status, isKept }) => status === 200 && isKept,
    reset: ({ status, isReset }) => status === 200 && isReset,
    reject: ({ status }) => status === 400,
  },
});

const TIMES = [{ weekday: 1, from: "08:00", to: "20:00" }] as const;

export const nullOpeningTimes = experiment({
  gap: "stores.null-opening-times",
  consent: "write",
  cost: 2,
  after: ["stores.null-store-type"],
  needs: "a scratch store",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    await control(scratch);
    const before = await scratch.put(await scratch.full({ openingTimes: TIMES }));
    const exchange = await scratch.put(await scratch.full({ openingTimes: null }));
    const times = bodyOf(exchange).openingTimes;
    const count = Array.isArray(times) ? times.length : undefined;
    const isKept = Array.isArray(times) && objectOf(times[0]).weekday === TIMES[0].weekday;
    const reason = `An update with openingTimes null: status ${exchange.status}, ${count ?? "no"} opening times.`;
    yield conclusiveResult({ count, isKept }, reason, before, exchange);
  },
  readings: { clears: ({ count }) => count === 0, keeps: ({ count, isKept }) => count === 1 && isKept },
});

export const bodyExternalId = experiment({
  gap: "stores.body-external-id",
  consent: "write",
  cost: 2,
  after: ["stores.null-store-type", "stores.omitted-fields"],
  needs: "a scratch store",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    const externalId = `${scratch.externalId}-${tools.marker}`;
    await control(scratch);
    const exchange = await scratch.put(await scratch.full({ externalId }));
    const returnedId = bodyOf(exchange).externalId;
    const other = isOk(exchange)
      ? await storeOf(tools).get(storePath(externalId), {}, { fresh: true })
      : undefined;
    const isRenamed = other !== undefined && isOk(other);
    if (isRenamed) await scratch.rename(externalId);
    else scratch.confirmName();
    const observed = { status: exchange.status, isSame: returnedId === scratch.externalId, isRenamed };
    const outcome = isRenamed ? "which renamed the store" : "the store kept its ID";
    const reason = `An update with another externalId: status ${exchange.status}, ${outcome}.`;
    yield conclusiveResult(observed, reason, exchange, ...(other ? [other] : []));
  },
  readings: {
    "path-wins": ({ status, isSame, isRenamed }) => status === 200 && isSame && !isRenamed,
    renames: ({ status, isSame, isRenamed }) => status === 200 && !isSame && isRenamed,
    rejected: ({ status }) => status === 400,
  },
});

export const unlistedValues = experiment({
  gap: "requests.unlisted-values",
  consent: "write",
  cost: 1,
  after: ["stores.null-store-type"],
  needs: "a scratch store whose type can be put back",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    if (!(await scratch.canRestoreType())) throw new Missing("a scratch store with a type");
    await control(scratch);
    const exchange = await scratch.put(await scratch.full({ storeType: "Probe" }));
    const observed = { status: exchange.status, isStored: bodyOf(exchange).storeType === "Probe" };
    yield conclusiveResult(
      observed,
      `An update with an unlisted storeType: status ${exchange.status}.`,
      exchange,
    );
  },
  readings: {
    rejected: ({ status }) => status === 400,
    accepted: ({ status, isStored }) => status === 200 && isStored,
  },
});

/** Returns a body of a given size and the wrong type: if its size is allowed, it is rejected for its type. */
function padded(megabytes: number): string {
  return JSON.stringify({ contacts: "x".repeat(megabytes * 1_000_000) });
}

export const bodySize = experiment({
  gap: "limits.body-size",
  consent: "write",
  cost: 2,
  after: ["stores.create-requirements"],
  needs: "a scratch store",
  observe: async function* observe(tools) {
    const scratch = await scratchOf(tools);
    const large = await scratch.sendRefused(padded(11));
    const exchanges: Exchange[] = [large];
    let isBelowTaken = true;
    if (large.status === 413) {
      const below = await scratch.sendRefused(padded(9));
      exchanges.push(below);
      isBelowTaken = below.status === 400;
    }
    const observed = { isTaken: large.status === 400, isRefused: large.status === 413, isBelowTaken };
    const reason = `A body of 11 MB: status ${large.status}${exchanges[1] ? `, one of 9 MB: status ${exchanges[1].status}` : ""}.`;
    yield observed.isRefused
      ? conclusiveResult(observed, reason, ...exchanges)
      : tentativeResult(observed, reason, ...exchanges);
  },
  readings: {
    "ten-megabytes": ({ isRefused, isBelowTaken }) => isRefused && isBelowTaken,
    unlimited: ({ isTaken }) => isTaken,
  },
});
