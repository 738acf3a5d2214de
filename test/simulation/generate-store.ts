/** Random steps of programs that use the store client. */
import { productCategories } from "../models/store-state.ts";
import type { Random } from "../models/random.ts";
import type { Draft } from "./generate.ts";
import { walkStyle } from "./generate-walk.ts";
import type { CallStep, Json, JsonObject, Step, WalkStep } from "./scenario.ts";
import { firstInstant, storeId } from "./store-data.ts";

type MakeStep = (draft: Draft, store: string) => Step;

const call = (method: string, ...args: readonly Json[]): CallStep => ({ do: "call", method, args });

export function storeStep(draft: Draft): Step {
  const { random, world } = draft;
  const isKnown = world.entities > 0 && random.chance(0.95);
  const store = isKnown ? storeId(random.integer(0, world.entities - 1)) : "S-unknown";
  return random.pick(steps)(draft, store);
}

const walkStores: MakeStep = (draft) => walk(draft, "stores.list", [], {});

const walkProtocols: MakeStep = (draft, store) =>
  walk(draft, "protocols.list", [draft.random.chance(0.9) ? storeId(0) : store], rangeOf(draft));

const walkPhotos: MakeStep = (draft, store) =>
  walk(draft, "photos.list", [draft.random.chance(0.9) ? storeId(0) : store], rangeOf(draft));

function walk(draft: Draft, method: string, path: readonly string[], query: JsonObject): WalkStep {
  const { random } = draft;
  const limit = random.chance(0.85) ? { limit: random.pick([1, 2, 2, 3, 4, 7, 100]) } : {};
  const other = query["from"] === undefined ? { limit: 99 } : { status: "failed" };
  return { do: "walk", method, path, query: { ...query, ...limit }, ...walkStyle(random, other) };
}

/** A range of time that contains all protocols, or ends at the instants of some. */
function rangeOf({ random, world }: Draft): JsonObject {
  const last = firstInstant + world.protocols * world.spacing;
  const isWhole = random.chance(0.6);
  const from = isWhole ? firstInstant - 3_600_000 : firstInstant + random.integer(0, 2) * world.spacing;
  const to = isWhole ? last + 3_600_000 : last - random.integer(0, 2) * world.spacing;
  const at = (time: number): string => new Date(Math.floor(time)).toISOString();
  return { from: at(Math.min(from, to)), to: at(Math.max(from, to)) };
}

const upsertStore: MakeStep = ({ random }, store) => {
  const id = random.chance(0.2) ? { externalId: random.pick([store, `${store}-renamed`]) } : {};
  const target = random.chance(0.2) ? `N-${random.integer(1, 9)}` : store;
  const body = random.chance(0.5)
    ? { ...id, name: `Name ${random.integer(1, 99)}` }
    : { ...wholeStore, ...id };
  return call("stores.upsert", target, body);
};

const wholeStore = {
  name: "Whole",
  location: null,
  regionId: null,
  storeType: null,
  openingTimes: null,
  protocolScheduleId: "5c4ed01e-0000-4000-a000-000000000001",
  protocolCronEnabled: true,
  onboardingComplete: false,
  loginCode: "123456",
};

const replaceContacts: MakeStep = ({ random }, store) => {
  const contact = { name: `Contact ${random.integer(1, 9)}`, phone: "1" };
  return call(
    "contacts.replace",
    store,
    Array.from({ length: random.integer(0, 2) }, () => contact),
  );
};

const replaceExpectations: MakeStep = ({ random }, store) => {
  const expectation = {
    productCategory: random.chance(0.5) ? null : "DRINKS",
    displayType: "FRIDGE_DRINKS",
    weekday: random.integer(0, 6),
    protocolTime: "08:30",
    expectedFillRatio: random.integer(0, 100),
  };
  return call(
    "expectations.replace",
    store,
    Array.from({ length: random.integer(0, 2) }, () => expectation),
  );
};

const upsertExpositions: MakeStep = ({ random }, store) => {
  const element = (): JsonObject => {
    const id = random.chance(0.3)
      ? { expositionId: `00000000-0000-4000-a000-00000000000${random.integer(0, 3)}` }
      : {};
    const title = random.chance(0.3) ? { friendlyTitle: "Title" } : {};
    return {
      ...id,
      ...title,
      label: `Label ${random.integer(0, 2)}`,
      productCategories: [random.pick(productCategories)],
      expositionType: random.pick(["FRIDGE_DRINKS", "FRIDGE_SALADS"]),
    };
  };
  return call("expositions.upsert", store, Array.from({ length: random.integer(0, 3) }, element));
};

const modify: MakeStep = ({ random }, store) => {
  const contact = { name: `Contact ${random.integer(1, 9)}`, phone: "2" };
  return random.chance(0.5)
    ? { ...call("stores.modify", store), change: { name: `Name ${random.integer(1, 99)}` } }
    : { ...call("contacts.modify", store), change: contact };
};

/** A range that is inverted now and then. */
function anyRange(draft: Draft): JsonObject {
  const { from = null, to = null } = rangeOf(draft);
  return draft.random.chance(0.4) ? { from: to, to: from } : { from, to };
}

const fillRates: MakeStep = (draft, store) => call("fillRates.forStore", store, anyRange(draft));
const acrossStores: MakeStep = (draft) => call("fillRates.across", anyRange(draft));
const getProtocol: MakeStep = ({ random }) =>
  call("protocols.get", storeId(0), random.chance(0.9) ? `$protocols.${random.integer(0, 3)}` : "unknown");
const expositionRate: MakeStep = (draft) =>
  call("fillRates.forExposition", storeId(0), "$expositions.0", anyRange(draft));

const byFetch: MakeStep = ({ random }, store) => {
  const name = `Fetched ${random.integer(1, 9)}`;
  return random.chance(0.5)
    ? call("fetch", "GET", `/v1/stores/${store}`)
    : call("fetch", "PUT", `/v1/stores/${store}`, { ...wholeStore, name });
};

const get =
  (method: string): MakeStep =>
  (_, store) =>
    call(method, store);

const applyPlans: MakeStep = ({ random, world }) => {
  const count = random.integer(1, 6);
  const desired = Array.from({ length: count }, (_, at) => {
    const isNew = world.entities === 0 || random.chance(0.3);
    const externalId = isNew ? `N-${at}` : storeId((at * 7 + count) % world.entities);
    return { externalId, ...desiredProperties(random) };
  });
  const distinct = [...new Map(desired.map((store) => [store.externalId, store])).values()];
  const more = random.chance(0.6) ? { concurrency: random.pick([1, 2, 5]) } : {};
  const dry = random.chance(0.1) ? { dryRun: true } : {};
  const stop = random.chance(0.15) ? { stop: random.integer(1, 3) } : {};
  const again = random.chance(0.5) ? { again: true } : {};
  return { do: "plan", method: "applyPlan", desired: distinct, ...more, ...dry, ...stop, ...again };
};

function desiredProperties(random: Random): JsonObject {
  const whole = random.chance(0.4) ? { ...wholeStore, openingTimes: [] } : {};
  const name = random.chance(0.8) ? { name: `Store ${random.integer(0, 3)}` } : {};
  const type = random.chance(0.3) ? { storeType: random.pick(["Kiosk", null]) } : {};
  const place = random.chance(0.3) ? { location: random.pick(["Warszawa", null]) } : {};
  return { ...whole, ...name, ...type, ...place };
}

const pull: MakeStep = ({ random, world }) => {
  const span = Math.max(1, world.protocols * world.spacing);
  const at = (part: number): number => Math.floor(firstInstant + part * span);
  const count = random.integer(1, 4);
  const runs = Array.from({ length: count }, (_, number) => {
    const back = random.chance(0.15) ? 0.4 : 0;
    const until = at((number + 1) / count - back) + (number === count - 1 ? 5000 : 0);
    const kill = { after: random.integer(1, 3), saved: random.chance(0.7) };
    return { until, ...(random.chance(0.4) ? { kill } : {}) };
  });
  const limit = random.chance(0.8) ? { limit: random.pick([1, 2, 3, 4, 7]) } : {};
  const since = Math.min(...runs.map(({ until }) => until), random.pick([at(0) - 5000, at(0), at(0.3)]));
  const lateness = random.pick([0, 1, 5000, 3_600_000, 4 * 3_600_000]);
  const method = random.chance(0.75) ? "protocols.list" : "photos.list";
  return { do: "pull", method, since, lateness, ...limit, runs };
};

const firstStores: MakeStep = ({ random }, store) =>
  call("stores.list", { limit: random.pick([2, 100]), cursor: random.chance(0.9) ? "S-00x" : store });

const steps: readonly MakeStep[] = [
  firstStores,
  firstStores,
  applyPlans,
  applyPlans,
  pull,
  pull,
  walkStores,
  walkStores,
  walkStores,
  walkProtocols,
  walkProtocols,
  walkProtocols,
  walkProtocols,
  walkPhotos,
  walkPhotos,
  get("stores.get"),
  get("contacts.get"),
  get("expectations.get"),
  get("expositions.get"),
  upsertStore,
  upsertStore,
  replaceContacts,
  replaceExpectations,
  upsertExpositions,
  upsertExpositions,
  upsertExpositions,
  modify,
  modify,
  fillRates,
  acrossStores,
  getProtocol,
  expositionRate,
  byFetch,
];
