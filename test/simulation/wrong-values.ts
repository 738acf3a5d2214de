/** Calls in which one option, argument or property has each kind of value, right or wrong. */
import {
  applyPlan,
  ensure,
  FleetClient,
  mirror,
  planStores,
  StoreClient,
  tokenBucket,
  upsertExpositions,
} from "../../src/index.ts";
import { idleRuntime } from "./clock.ts";
import { firstInstant, storeId } from "./store-data.ts";

/** Returns a result to be awaited or iterated. */
export type Run<Client> = (client: Client, options: object, value: never) => unknown;

/** The kinds of values, by what a reader of the table sees. */
export const kinds: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  true: true,
  0: 0,
  [-1]: -1,
  1.5: 1.5,
  3: 3,
  1e21: 1e21,
  NaN: Number.NaN,
  Infinity: Infinity,
  '""': "",
  '"x"': "x",
  "[]": [],
  "[null]": [null],
  '["x"]': ["x"],
  "{}": {},
  "{ x: 1 }": { x: 1 },
  '["x", ""]': ["x", ""],
  '["x", "x,y"]': ["x", "x,y"],
  1e-7: 1e-7,
  date: new Date(firstInstant),
  "wrong date": new Date(Number.NaN),
  getter: new (class {
    get x() {
      return 1;
    }
  })(),
  function: () => undefined,
};

const id = storeId(0);
const from = new Date(firstInstant).toISOString();
const range = { from, to: "2027-01-01T00:00:00Z" };
const contact = { name: "A", phone: "1", contactType: "store" };
export const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 1,
  protocolTime: "08:30",
  expectedFillRatio: 50,
};
const exposition = { label: "One", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };
const vehicle = { plateNumber: "P" };
const client = { baseUrl: "https://h.example", token: "a-secret", runtime: idleRuntime };
const fleet = { key: `acme_${"0".repeat(64)}`, runtime: idleRuntime };
const place = { baseUrl: "https://h.example/api/third-party/v1" };
const plan = { create: [{ externalId: "N-1" }], update: [] };

/** The object with one property, whose path has dots, set to a value. */
function withValue(base: object, path: string, value: unknown): object {
  const [name = "", ...rest] = path.split(".");
  if (path === "runtime" && value === undefined) return base; // that is the platform's, which no history has
  if (rest.length === 0) return { ...base, [name]: value };
  const inner: unknown = Reflect.get(base, name) ?? {};
  return { ...base, [name]: withValue(inner as object, rest.join("."), value) };
}

/** One entry for each path of an object that a call takes. */
function vary<Client>(
  name: string,
  paths: string,
  base: object,
  run: (client: Client, given: never, options: object) => unknown,
): Record<string, Run<Client>> {
  const entries = paths
    .split(" ")
    .map((path): [string, Run<Client>] => [
      `${name}: ${path}`,
      (own, options, value) => run(own, withValue(base, path, value) as never, options),
    ]);
  return Object.fromEntries(entries);
}

const common =
  "timeout totalTimeout retry retry.limit retry.maxDelay maxResponseBytes maxConcurrency " +
  "headers headers.x allowInsecure fetch transport hooks hooks.onCall hooks.onRetry limiter limiter.acquire log " +
  "validate runtime runtime.Date readings shapes unknown";
const call = "timeout totalTimeout retry retry.limit headers headers.x maxResponseBytes signal unknown";
const walk = "limit resume maxIdleRequests verify extra extra.a unknown";

const limiters = {
  ...vary(
    "tokenBucket",
    "perSecond burst maxPause unknown",
    { perSecond: 5, runtime: idleRuntime },
    (_, given) => void tokenBucket(given),
  ),
  "tokenBucket: options": (_, __, value) => void tokenBucket(value),
} satisfies Record<string, Run<unknown>>;

export const storeValues: Readonly<Record<string, Run<StoreClient>>> = {
  ...limiters,
  ...vary(
    "StoreClient",
    `baseUrl token ${common} shapes.store strategies strategies.x identify`,
    client,
    (_, given) => void new StoreClient(given),
  ),
  ...vary("stores.get with options", call, {}, ({ stores }: StoreClient, given: object, options) =>
    stores.get(id, { ...options, ...given }),
  ),
  ...vary("stores.list", `${walk} cursor`, {}, ({ stores }: StoreClient, given, options) =>
    stores.list(given, options),
  ),
  ...vary("stores.list with options", call, {}, ({ stores }: StoreClient, given: object, options) =>
    stores.list({}, { ...options, ...given }),
  ),
  ...vary("pages", "prefetch unknown", {}, ({ stores }: StoreClient, given, options) =>
    stores.list({}, options).pages(given),
  ),
  ...vary("items", "prefetch", {}, ({ stores }: StoreClient, given, options) =>
    stores.list({}, options).items(given),
  ),
  ...vary("toArray", "max limit", {}, ({ stores }: StoreClient, given, options) =>
    stores.list({}, options).toArray(given),
  ),
  "take: count": ({ stores }, options, value) => stores.list({}, options).take(value),
  ...vary(
    "protocols.list",
    `from to ${walk} status expositionId identify`,
    range,
    ({ protocols }: StoreClient, given, options) => protocols.list(id, given, options),
  ),
  ...vary(
    "photos.list",
    `from to ${walk} status expositionId`,
    range,
    ({ photos }: StoreClient, given, options) => photos.list(id, given, options),
  ),
  ...vary(
    "fillRates.across",
    "from to externalIds minFillRate maxFillRate belowExpectationOnly groupBy status extra extra.a unknown",
    range,
    ({ fillRates }: StoreClient, given, options) => fillRates.across(given, options),
  ),
  "stores.get: externalId": ({ stores }, options, value) => stores.get(value, options),
  "fillRates.forExposition: expositionId": ({ fillRates }, options, value) =>
    fillRates.forExposition(id, value, range, options),
  ...vary(
    "protocols.pull",
    "state since allowedLateness until identify fingerprint limit maxIdleRequests status extra unknown",
    { since: from, allowedLateness: 0 },
    ({ protocols }: StoreClient, given, options) => protocols.pull(id, given, options),
  ),
  "protocols.pull: options": ({ protocols }, options, value) => protocols.pull(id, value, options),
  "protocols.pull: the value of until": ({ protocols }, options, value) =>
    protocols.pull(id, { since: from, allowedLateness: 0, until: () => value }, options),
  "protocols.pull: the value of identify": ({ protocols }, options, value) =>
    protocols.pull(id, { since: from, allowedLateness: 0, identify: () => value }, options),
  "protocols.pull: the value of fingerprint": ({ protocols }, options, value) =>
    protocols.pull(id, { since: from, allowedLateness: 0, fingerprint: () => value }, options),
  "protocols.list: the value of identify": ({ protocols }, options, value) =>
    protocols.list(id, { ...range, identify: () => value }, options),
  ...vary(
    "stores.upsert",
    "name externalId location regionId storeType openingTimes protocolScheduleId protocolCronEnabled unknown",
    {},
    ({ stores }: StoreClient, given, options) => stores.upsert("N-1", given, options),
  ),
  "stores.upsert: store": ({ stores }, options, value) => stores.upsert("N-1", value, options),
  ...vary(
    "contacts.replace",
    "contactType name phone email hasWhatsapp unknown",
    contact,
    ({ contacts }: StoreClient, given, options) => contacts.replace("N-1", [given], options),
  ),
  ...vary(
    "expectations.replace",
    "displayType productCategory weekday protocolTime expectedFillRatio unknown",
    expectation,
    ({ expectations }: StoreClient, given, options) => expectations.replace("N-1", [given], options),
  ),
  ...vary(
    "expositions.upsert",
    "expositionId label productCategories expositionType friendlyTitle status unknown",
    exposition,
    ({ expositions }: StoreClient, given, options) => expositions.upsert("N-1", [given], options),
  ),
  "contacts.replace: contacts": ({ contacts }, options, value) => contacts.replace("N-1", value, options),
  "stores.modify: change": ({ stores }, options, value) => stores.modify(id, value, options),
  "contacts.modify: change": ({ contacts }, options, value) => contacts.modify(id, value, options),
  "stores.modify: the value of change": ({ stores }, options, value) =>
    stores.modify(id, () => value, options),
  "contacts.modify: the value of change": ({ contacts }, options, value) =>
    contacts.modify(id, () => value, options),
  "contacts.modify: an element": ({ contacts }, options, value) =>
    contacts.modify(id, (before) => [...before, value], options),
  "expositions.modify: an element": ({ expositions }, options, value) =>
    expositions.modify(id, (before) => [...before, value], options),
  ...vary("stores.modify", "check", {}, ({ stores }: StoreClient, given: object, options) =>
    stores.modify(id, () => ({ name: "Other" }), { ...options, ...given }),
  ),
  ...vary(
    "upsertExpositions",
    "absent onChunk timeout unknown",
    {},
    (own: StoreClient, given: object, options) =>
      upsertExpositions(own, id, [exposition], { ...options, ...given }),
  ),
  "upsertExpositions: options": (own, _, value) => upsertExpositions(own, id, [], value),
  "upsertExpositions: expositions": (own, options, value) => upsertExpositions(own, id, value, options),
  ...vary(
    "upsertExpositions of one with",
    "expositionId label expositionType",
    exposition,
    (own: StoreClient, given, options) => upsertExpositions(own, id, [given], options),
  ),
  "stores.list: query": ({ stores }, options, value) => stores.list(value, options),
  "protocols.list: query": ({ protocols }, options, value) => protocols.list(id, value, options),
  "fillRates.across: query": ({ fillRates }, options, value) => fillRates.across(value, options),
  "planStores: desired": ({ stores }, options, value) => planStores(value, stores.list({}, options)),
  "planStores: a store": ({ stores }, options, value) => planStores([value], stores.list({}, options)),
  "planStores: actual": (_, __, value) => planStores([], value),
  ...vary(
    "planStores of one with",
    "externalId name contacts expectations expositions unknown",
    { externalId: id },
    (own: StoreClient, given, options) =>
      planStores([{ externalId: "A" }, given], own.stores.list({}, options), { ...options, store: own }),
  ),
  ...vary("planStores", "store concurrency", {}, ({ stores }: StoreClient, given: object, options) =>
    planStores([{ externalId: "A" }, { externalId: id, contacts: [] }], stores.list({}, options), {
      ...options,
      ...given,
    }),
  ),
  "applyPlan: plan": (own, options, value) => applyPlan(own, value, options),
  "applyPlan: options": (own, _, value) => applyPlan(own, { create: [], update: [] }, value),
  ...vary(
    "applyPlan with options",
    "concurrency dryRun check absent onResult signal timeout unknown",
    {},
    (own: StoreClient, given: object, options) =>
      applyPlan(own, { create: [], update: [] }, { ...options, ...given }),
  ),
  ...vary("applyPlan of", "create update baseUrl known", plan, (own: StoreClient, given, options) =>
    applyPlan(own, given, { ...options, dryRun: true }),
  ),
  ...vary(
    "applyPlan",
    "concurrency dryRun check absent onResult timeout unknown",
    { dryRun: true },
    (own: StoreClient, given: object, options) => applyPlan(own, plan, { ...options, ...given }),
  ),
  ...vary(
    "applyPlan as a dry run of a store with",
    "name location contacts expectations expositions",
    { externalId: "N-1" },
    async (own: StoreClient, given, options) => {
      const [result] = await applyPlan(own, { create: [given], update: [] }, { ...options, dryRun: true });
      return `${result?.outcome} ${String(result?.error)}`;
    },
  ),
  ...vary(
    "planStores with a reader whose",
    "contacts expectations expositions",
    {},
    ({ stores, contacts, expectations, expositions }: StoreClient, given, options) =>
      planStores([{ externalId: id, contacts: [], expositions: [] }], stores.list({}, options), {
        ...options,
        store: { contacts, expectations, expositions, ...(given as object) },
      }),
  ),
  "planStores: the readings of another reader": (
    { stores, contacts, expectations, expositions },
    options,
    value,
  ) =>
    planStores([{ externalId: id, expositions: [] }], stores.list({}, options), {
      ...options,
      store: { contacts, expectations, expositions, readings: value },
    }),
  "mirror: list": (_, __, value) => mirror(value, sink),
  "mirror: sink": ({ stores }, options, value) => mirror(stores.list({}, options), value),
  ...vary(
    "mirror",
    "details concurrency identify fingerprint maxDeleted maxPasses unknown",
    {},
    ({ stores }: StoreClient, given, options) => mirror(stores.list({}, options), sink, given),
  ),
  ...vary(
    "mirror with a sink with",
    "load find save countUnseen remove",
    {},
    ({ stores }: StoreClient, given: object, options) =>
      mirror(stores.list({}, options), { ...sink, ...given }),
  ),
};

const sink = {
  load: () => undefined,
  find: () => new Map(),
  save: () => undefined,
  countUnseen: () => 0,
  remove: () => undefined,
};

export const fleetValues: Readonly<Record<string, Run<FleetClient>>> = {
  ...vary(
    "FleetClient",
    "baseUrl key apiVersion readings shapes shapes.vehicle unknown",
    { ...fleet, ...place },
    (_, given) => void new FleetClient(given),
  ),
  ...vary(
    "FleetClient",
    "environments environments.production environments.sandbox",
    fleet,
    (_, given) => void new FleetClient(given),
  ),
  ...vary("vehicles.list", `${walk} page onDrift`, {}, ({ vehicles }: FleetClient, given, options) =>
    vehicles.list(given, options),
  ),
  ...vary("pages", "concurrency unknown", {}, ({ vehicles }: FleetClient, given, options) =>
    vehicles.list({}, options).pages(given),
  ),
  ...vary("toArray", "max", {}, ({ vehicles }: FleetClient, given, options) =>
    vehicles.list({}, options).toArray(given),
  ),
  "take: count": ({ vehicles }, options, value) => vehicles.list({}, options).take(value),
  "vehicles.get: vehicleId": ({ vehicles }, options, value) => vehicles.get(value, options),
  "vehicles.create: vehicle": ({ vehicles }, options, value) => vehicles.create(value, options),
  ...vary(
    "vehicles.create",
    "plateNumber brand type groupIds unknown",
    { plateNumber: "P", brand: "MAN" },
    ({ vehicles }: FleetClient, given, options) => vehicles.create(given, options),
  ),
  "ensure: options": ({ vehicles }, _, value) => ensure(vehicles, [vehicle], value),
  "ensure: desired": ({ vehicles }, options, value) =>
    ensure(vehicles, value, { ...options, key: "plateNumber" }),
  "ensure: an element": ({ vehicles }, options, value) =>
    ensure(vehicles, [vehicle, value], { ...options, key: "plateNumber", dryRun: true }),
  ...vary(
    "ensure",
    "key toUpdate concurrency dryRun timeout unknown",
    { key: "plateNumber", dryRun: true },
    ({ vehicles }: FleetClient, given: object, options) =>
      ensure(vehicles, [vehicle], { ...options, ...given } as never),
  ),
};
