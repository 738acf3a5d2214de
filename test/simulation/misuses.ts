/** Calls with wrong input, which a client has to refuse before it writes anything. */
import {
  applyPlan,
  combineLimiters,
  ConfigurationError,
  ensure,
  FleetClient,
  InvalidRequestError,
  mirror,
  planStores,
  StoreClient,
  tokenBucket,
  upsertExpositions,
} from "../../src/index.ts";
import { checkMessage, endOf } from "./calls.ts";
import type { SimulatedWorld } from "./client.ts";
import { idleRuntime } from "./clock.ts";
import { callHeader } from "./observer.ts";
import type { Json, JsonObject, MisuseStep } from "./scenario.ts";
import { firstInstant, storeId } from "./store-data.ts";

type Run<Client> = (client: Client, options: object) => AsyncIterable<unknown> | PromiseLike<unknown>;
/** A call, and the path of the issue that its error has. */
type Misuse<Client> = Run<Client> | readonly [run: Run<Client>, path: string];

const id = storeId(0);
const from = new Date(firstInstant).toISOString();
const exposition = { label: "One", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };
const same = (entity: object): object => entity;
const deep = nest(600);

/** An array in an array, so many levels deep. */
function nest(levels: number): Json {
  return levels === 0 ? [] : [nest(levels - 1)];
}

/** Wrong queries of a list; none of their types is what the compiler allows. */
function queries<Client>(
  open: (client: Client, query: never, options: object) => AsyncIterable<unknown>,
  more: readonly JsonObject[],
) {
  const wrong: readonly JsonObject[] = [
    { limit: 0 },
    { limit: 1.5 },
    { limit: "2" },
    { maxIdleRequests: 0 },
    { verify: "yes" },
    { resume: "no token" },
    { resume: "" },
    { resume: 7 },
    { unknown: true },
    { extra: { limit: "2" } },
    { extra: "none" },
    { extra: { limit: "2", cursor: "x" } },
    { extra: { a: 5 } },
    { extra: { a: "\ud800" } },
    { limit: -1 },
    { limit: 1e21 },
    { limit: null },
    { maxIdleRequests: 1.5 },
    { maxIdleRequests: "1" },
    ...more,
  ];
  return wrong.map((query): [string, Misuse<Client>] => [
    JSON.stringify(query),
    [(client, options) => open(client, query as never, options), pathOf(query)],
  ]);
}

/** The path of the last property that a query has, where the others are right. */
function pathOf(query: JsonObject): string {
  const [name = "", value] = Object.entries(query).at(-1) ?? [];
  if (name !== "extra" || typeof value !== "object" || value === null) return name;
  return `extra.${Object.keys(value)[0]}`;
}

function named<Client>(
  name: string,
  misuses: readonly (readonly [string, Misuse<Client>])[],
): Record<string, Misuse<Client>> {
  return Object.fromEntries(misuses.map(([key, run]) => [`${name} ${key}`, run]));
}

const range = { from, to: from };
const noInstants: readonly Json[] = [
  ..."2026-03-01|2026-03-01T00:00:00|2026-03-01T24:00:01Z|2026-03-01T24:01:00Z|2026-03-01T25:00:00Z".split(
    "|",
  ),
  ..."2026-03-01T10:60:00Z|2026-03-01T10:00:60Z|2026-02-30T00:00:00Z|2026-13-01T00:00:00Z|2026-00-01T00:00:00Z".split(
    "|",
  ),
  ..."2026-03-01T00:00:00+24:00|2026-03-01T00:00:00+01:60|0000-01-01T00:00:00+01:00|9999-12-31T23:59:59-01:00".split(
    "|",
  ),
  ..."2026-03-01T24:00:00.001Z|x2026-03-01T00:00:00Z|2026-03-01T00:00:00Zx|2026-03-01 00:00:00Z|".split("|"),
  5,
  null,
];
const pulls: readonly JsonObject[] = [
  { allowedLateness: 0 },
  { since: from },
  { since: "yesterday", allowedLateness: 0 },
  { since: from, allowedLateness: -1 },
  { since: from, allowedLateness: "1" },
  { since: from, allowedLateness: 0, state: "no state" },
  { since: from, allowedLateness: 0, state: "{}" },
  { since: from, allowedLateness: 0, until: 5 },
  { since: from, allowedLateness: 0, limit: 0 },
  { since: from, allowedLateness: 0, identify: "id" },
  { since: from, allowedLateness: 0, unknown: 1 },
];

const baseUrl = "https://h.example";
const bucket = tokenBucket({ perSecond: 1, runtime: idleRuntime });
const key = `acme_${"0".repeat(64)}`;

/** Wrong options of a client, besides a right base URL and token. */
const wrongOptions: readonly Readonly<Record<string, unknown>>[] = [
  ..."x|http://h.example|https://u@h.example|https://:p@h.example|https://h.example?x|https://h.example#x|ftp://h.example|"
    .split("|")
    .map((wrong) => ({ baseUrl: wrong })),
  { baseUrl: 5 },
  { baseUrl: "ftp://h.example", allowInsecure: true },
  ...["", "ż", "a b", "a\nb", 5, null].map((token) => ({ token })),
  ...[{}, { acquire: 5 }, { acquire: same, onThrottled: 5 }, 5].map((limiter) => ({ limiter })),
  ...[{ onCall: 5 }, { onUnknown: same }, [{ onSend: "x" }]].map((hooks) => ({ hooks })),
  ...["5", -1, Number.NaN].flatMap((wrong) => [
    { timeout: wrong },
    { totalTimeout: wrong },
    { retry: wrong },
  ]),
  ...["5", 0, 1.5].flatMap((wrong) => [{ maxConcurrency: wrong }, { maxResponseBytes: wrong }]),
  { fetch: same, transport: same },
  { runtime: {} },
  { validate: "yes" },
  { identify: "id" },
  { unknown: 1 },
  { log: {} },
  { readings: { "no.gap": "x" } },
  { shapes: { store: {} } },
];

const wrongBuckets: readonly Readonly<Record<string, unknown>>[] = [
  ...[0, -1, Infinity, Number.NaN, "5"].map((perSecond) => ({ perSecond })),
  ...[0, -1, 1.5, "1", Infinity].map((burst) => ({ perSecond: 5, burst })),
  ...[-1, 2 ** 31, "1", Number.NaN].map((maxPause) => ({ perSecond: 5, maxPause })),
  { perSecond: 5, unknown: 1 },
];

/** Constructors and functions without a request, with options that they refuse. */
const settings = {
  ...named(
    "a client with",
    wrongOptions.map((wrong, index): [string, Run<unknown>] => [
      `option ${index}`,
      async () => new StoreClient({ baseUrl, token: "token", runtime: idleRuntime, ...wrong }),
    ]),
  ),
  ...named(
    "a bucket with",
    wrongBuckets.map((wrong, index): [string, Run<unknown>] => [
      `option ${index}`,
      async () => tokenBucket({ runtime: idleRuntime, ...wrong } as never),
    ]),
  ),
  "combine nothing with a limiter": async () => combineLimiters({} as never, bucket),
  "combine a limiter with nothing": async () => combineLimiters(bucket, {} as never),
  "a key of another form": async () => new FleetClient({ baseUrl, key: "none", runtime: idleRuntime }),
  "an unknown version": async () => new FleetClient({ baseUrl, key, apiVersion: "v9", runtime: idleRuntime }),
};

const year = { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };

const rateQueries: readonly JsonObject[] = [
  { minFillRate: -1 },
  { minFillRate: 100.5 },
  { maxFillRate: "5" },
  { maxFillRate: 101 },
  { belowExpectationOnly: "true" },
  { groupBy: "none" },
  { status: 5 },
  { to: "x" },
  { externalIds: [] },
  { from: null },
];

export const storeMisuses: Readonly<Record<string, Misuse<StoreClient>>> = {
  ...settings,
  ...named(
    "rates",
    rateQueries.map((query): [string, Misuse<StoreClient>] => [
      JSON.stringify(query),
      [({ fillRates }, options) => fillRates.across({ ...range, ...query }, options), pathOf(query)],
    ]),
  ),
  ...named(
    "the exposition",
    ["none", "", "5c4ed01e-0000-4000-a000-00000000000"].map((wrong): [string, Misuse<StoreClient>] => [
      wrong,
      [({ fillRates }, options) => fillRates.forExposition(id, wrong, range, options), "expositionId"],
    ]),
  ),
  "rates without a range": [({ fillRates }, options) => fillRates.across({ from } as never, options), "to"],
  ...named(
    "identify",
    ["", 5, undefined, null].map((wrong): [string, Misuse<StoreClient>] => [
      String(wrong),
      ({ protocols }, options) => protocols.list(id, { ...year, identify: () => wrong as never }, options),
    ]),
  ),
  ...named(
    "fingerprint",
    [Promise.resolve(), Number.NaN, { at: [5n] }, { at: { of: Symbol("x") } }, new Map()].map(
      (wrong, index): [string, Misuse<StoreClient>] => [
        String(index),
        ({ protocols }, options) =>
          protocols.pull(id, { since: from, allowedLateness: 0, fingerprint: () => wrong }, options),
      ],
    ),
  ),
  "modify expositions without one": [
    ({ expositions }, options) => expositions.modify(id, () => [], options),
    "expositionId",
  ],
  "modify contacts with an unknown property": [
    ({ contacts }, options) =>
      contacts.modify(id, () => [{ name: "A", phone: "1", color: 5 } as never], options),
    "0.color",
  ],
  ...named(
    "stores",
    queries(
      (client: StoreClient, query, options) => client.stores.list(query, options),
      [{ cursor: 5 }, { resume: "x", cursor: "S-000" }, { from: "x" }],
    ),
  ),
  ...named(
    "protocols",
    queries(
      (client: StoreClient, query: object, options) =>
        client.protocols.list(id, { ...range, ...query }, options),
      [
        ...noInstants.map((wrong) => ({ from: wrong })),
        { identify: "id" },
        { status: "unknown" },
        { expositionId: "no UUID" },
      ],
    ),
  ),
  ...named(
    "pull",
    pulls.map((query): [string, Misuse<StoreClient>] => [
      JSON.stringify(query),
      [(client, options) => client.protocols.pull(id, query as never, options), pathOf(query)],
    ]),
  ),
  ...named(
    "across stores",
    ([[], [""], ["A,B"], "A", [5]] as const).map((externalIds): [string, Misuse<StoreClient>] => [
      JSON.stringify(externalIds),
      [
        ({ fillRates }, options) => fillRates.across({ ...range, externalIds } as never, options),
        "externalIds",
      ],
    ]),
  ),
  ...named(
    "get",
    (["", ".", "..", 5, null, "\ud800"] as const).map((wrong): [string, Misuse<StoreClient>] => [
      JSON.stringify(wrong),
      [({ stores }, options) => stores.get(wrong as never, options), "externalId"],
    ]),
  ),
  "list with headers that are an array": ({ stores }, options) =>
    stores.list({}, { ...options, headers: [["a", "b"]] as never }),
  "get with headers that are a map": ({ stores }, options) =>
    stores.get(id, { ...options, headers: new Map([["a", "b"]]) as never }),
  "an inverted range of the wrong type": ({ protocols }, options) =>
    protocols.list(id, { from: "x", to: from }, options),
  "modify without a function": ({ stores }, options) => stores.modify(id, "name" as never, options),
  "modify with nothing": ({ stores }, options) => stores.modify(id, () => undefined as never, options),
  "modify a property that is not sent": ({ stores }, options) =>
    stores.modify(id, () => ({ storeId: "x" }), options),
  "modify with a deep value": ({ stores }, options) =>
    stores.modify(id, () => ({ openingTimes: deep as never }), options),
  "modify with check 5": ({ stores }, options) => stores.modify(id, same, { ...options, check: 5 as never }),
  "modify contacts with an object": ({ contacts }, options) =>
    contacts.modify(id, () => ({}) as never, options),
  "modify contacts with a wrong element": ({ contacts }, options) =>
    contacts.modify(id, () => [{ name: 5 }] as never, options),
  "modify contacts with a deep element": ({ contacts }, options) =>
    contacts.modify(id, () => [deep] as never, options),
  "upsert with a wrong type": ({ stores }, options) => stores.upsert(id, { name: 5 } as never, options),
  "upsert with an array": ({ stores }, options) => stores.upsert(id, [] as never, options),
  "upsertExpositions of an object": (client, options) => upsertExpositions(client, id, {} as never, options),
  "upsertExpositions with absent delete": (client, options) =>
    upsertExpositions(client, id, [], { ...options, absent: "delete" as never }),
  "upsertExpositions with onChunk 5": (client, options) =>
    upsertExpositions(client, id, [], { ...options, onChunk: 5 as never }),
  "upsertExpositions without options": (client) => upsertExpositions(client, id, [], 5 as never),
  "upsertExpositions of one twice": (client, options) =>
    upsertExpositions(client, id, [exposition, exposition], options),
  "upsertExpositions of 501": (client, options) =>
    upsertExpositions(
      client,
      id,
      Array.from({ length: 501 }, (_, at) => ({ ...exposition, label: `Rack ${at}` })),
      options,
    ),
  "planStores of one twice": ({ stores }, options) =>
    planStores([{ externalId: "A" }, { externalId: "A" }], stores.list({}, options)),
  "planStores without an ID": ({ stores }, options) =>
    planStores([{ name: "A" } as never], stores.list({}, options)),
  "planStores with an unknown property": ({ stores }, options) =>
    planStores([{ externalId: "A", color: 5 } as never], stores.list({}, options)),
  "planStores with lists and no client": ({ stores }, options) =>
    planStores([{ externalId: id, contacts: [] }], stores.list({}, options)),
  "planStores of a part": ({ stores }, options) =>
    planStores([{ externalId: "A" }], stores.list({ cursor: id }, options)),
  "planStores with a wrong list": ({ stores }, options) =>
    planStores([{ externalId: id, contacts: 5 } as never], stores.list({}, options)),
  "applyPlan without a plan": (client, options) => applyPlan(client, {} as never, options),
  "applyPlan with concurrency 0": (client, options) =>
    applyPlan(client, { create: [], update: [] }, { ...options, concurrency: 0 }),
  "applyPlan with onResult 5": (client, options) =>
    applyPlan(client, { create: [], update: [] }, { ...options, onResult: 5 as never }),
  "applyPlan with check 5": (client, options) =>
    applyPlan(client, { create: [], update: [] }, { ...options, check: 5 as never }),
  "applyPlan of another service": (client, options) =>
    applyPlan(client, { baseUrl: "https://other.example", create: [], update: [] }, options),
  "mirror without a sink": ({ stores }, options) => mirror(stores.list({}, options), {} as never),
  "fetch another origin": ({ fetch }) => fetch("https://elsewhere.example/v1/stores"),
};

const desired = { plateNumber: "P" };

export const fleetMisuses: Readonly<Record<string, Misuse<FleetClient>>> = {
  ...named(
    "vehicles",
    queries(
      (client: FleetClient, query, options) => client.vehicles.list(query, options),
      [{ page: 0 }, { page: 1.5 }, { page: "1" }, { onDrift: "ignore" }, { onDrift: "heal", verify: 1 }],
    ),
  ),
  "page 0": ({ vehicles }, options) => vehicles.list({ page: 0 }, options),
  "page 1.5": ({ vehicles }, options) => vehicles.list({ page: 1.5 }, options),
  "page with resume": ({ vehicles }, options) => vehicles.list({ page: 2, resume: "x" }, options),
  "onDrift ignore": ({ vehicles }, options) => vehicles.list({ onDrift: "ignore" } as never, options),
  "concurrency 0": ({ vehicles }, options) => vehicles.list({}, options).pages({ concurrency: 0 }),
  "take -1": ({ vehicles }, options) => vehicles.list({}, options).take(-1),
  "toArray of at most -1": ({ vehicles }, options) => vehicles.list({}, options).toArray({ max: -1 }),
  "ensure without a key": ({ vehicles }, options) => ensure(vehicles, [desired], options as never),
  "ensure with the name of no key": ({ vehicles }, options) =>
    ensure(vehicles, [{ brand: "A" }], { ...options, key: "plateNumber" }),
  "ensure of one twice": ({ vehicles }, options) =>
    ensure(vehicles, [desired, desired], { ...options, key: "plateNumber" }),
  "ensure with concurrency 0": ({ vehicles }, options) =>
    ensure(vehicles, [desired], { ...options, key: "plateNumber", concurrency: 0 }),
  "ensure with toUpdate 5": ({ vehicles }, options) =>
    ensure(vehicles, [desired], { ...options, key: "plateNumber", toUpdate: 5 as never }),
  "delete without an ID": ({ vehicles }, options) => vehicles.delete("", options),
};

async function use(result: AsyncIterable<unknown> | PromiseLike<unknown>): Promise<unknown> {
  if (!(Symbol.asyncIterator in result)) return result;
  for await (const item of result) void item;
  return undefined;
}

export async function runMisuse(
  world: SimulatedWorld,
  client: object,
  { method }: MisuseStep,
  name: string,
): Promise<void> {
  const { observer, service } = world;
  const record = observer.start(name, { repeatable: true, parallel: 4, isWalk: true });
  const misuses = world.scenario.api === "store" ? storeMisuses : fleetMisuses;
  const entry = misuses[method] as Misuse<object>; // the API decides about the client
  const [run, path] = typeof entry === "function" ? [entry] : entry;
  const misuse = async (): Promise<unknown> => use(run(client, { headers: { [callHeader]: name } }));
  const ending = await endOf(misuse());
  observer.finish(record);
  const error = "error" in ending ? ending.error : undefined;
  checkMessage(observer, name, error);
  if (!(error instanceof InvalidRequestError || error instanceof ConfigurationError))
    observer.violate(`${name} accepts wrong input: ${method}`);
  else if (
    path !== undefined &&
    error instanceof InvalidRequestError &&
    !error.issues.some((one) => one.path === path)
  )
    observer.violate(`${name} does not name ${path}: ${error.message}`);
  if (service.applications.length > 0) observer.violate(`${name} writes wrong input: ${method}`);
}
