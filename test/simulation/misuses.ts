/** Calls with wrong input, which a client has to refuse before it writes anything. */
import {
  applyPlan,
  ensure,
  FleetClient,
  InvalidRequestError,
  planStores,
  ShelfleetError,
  StoreClient,
  tokenBucket,
  upsertExpositions,
} from "../../src/index.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { checkMessage, endOf } from "./calls.ts";
import type { SimulatedWorld } from "./client.ts";
import { idleRuntime } from "./clock.ts";
import { callHeader } from "./observer.ts";
import { root } from "./copy-project.ts";
import type { ApiName, Json, JsonObject, MisuseStep, Scenario } from "./scenario.ts";
import { firstInstant, storeId } from "./store-data.ts";
import { fleetEdges, storeEdges } from "./edge-values.ts";
import { fleetPairs, storePairs } from "./same-outcomes.ts";
import { fleetOutcomes, storeOutcomes, type Tried } from "./shape-values.ts";
import { fleetValues, kinds, type Run, storeValues } from "./wrong-values.ts";

type Call<Client> = (client: Client, options: object) => unknown;
/** A call, and the path of the issue that its error has. */
type Misuse<Client> = Call<Client> | readonly [run: Call<Client>, path: string];

const id = storeId(0);
const from = new Date(firstInstant).toISOString();
const exposition = { label: "One", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };
const same = (entity: object): object => entity;
const deep = nest(600);

/** An array in an array, so many levels deep. */
function nest(levels: number): Json {
  return levels === 0 ? [] : [nest(levels - 1)];
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
  { since: from, allowedLateness: 0, state: "{}" },
  { allowedLateness: 0, since: "2999-01-01T00:00:00Z" },
];

const baseUrl = "https://h.example";
const key = `acme_${"0".repeat(64)}`;

/** Wrong options of a client, besides a right base URL and token. */
const wrongOptions: readonly Readonly<Record<string, unknown>>[] = [
  ..."x|http://h.example|https://u@h.example|https://:p@h.example|https://h.example?x|https://h.example#x|ftp://h.example"
    .split("|")
    .map((wrong) => ({ baseUrl: wrong })),
  { baseUrl: "ftp://h.example", allowInsecure: true },
  ...["ż", "a b", "a\nb"].map((token) => ({ token })),
  ...[{ acquire: same, onThrottled: 5 }].map((limiter) => ({ limiter })),
  ...[{ onUnknown: same }, [{ onSend: "x" }]].map((hooks) => ({ hooks })),
  { timeout: 2 ** 31 },
  { retry: { maxDelay: 2 ** 31 } },
  { headers: { Authorization: "x" } },
  { headers: { "a b": "x" } },
  { headers: { x: "a\nb" } },
  { fetch: same, transport: same },
  { runtime: {} },
  { readings: { "no.gap": "x" } },
  { readings: { "expositions.matching": "x" } },
  { shapes: { store: {} } },
  { shapes: { none: {} } },
  { strategies: { "protocols.next-page": "x" } },
];

const wrongBuckets: readonly Readonly<Record<string, unknown>>[] = [{ perSecond: 5, maxPause: 2 ** 31 }];

/** Constructors and functions without a request, with options that they refuse. */
const settings = {
  ...named(
    "a client with",
    wrongOptions.map((wrong, index): [string, Call<unknown>] => [
      `option ${index}`,
      async () => new StoreClient({ baseUrl, token: "token", runtime: idleRuntime, ...wrong }),
    ]),
  ),
  ...named(
    "a bucket with",
    wrongBuckets.map((wrong, index): [string, Call<unknown>] => [
      `option ${index}`,
      async () => tokenBucket({ runtime: idleRuntime, ...wrong } as never),
    ]),
  ),
  "a key of another form": async () => new FleetClient({ baseUrl, key: "none", runtime: idleRuntime }),
  "an unknown version": async () => new FleetClient({ baseUrl, key, apiVersion: "v9", runtime: idleRuntime }),
};

const rateQueries: readonly JsonObject[] = [
  { minFillRate: 100.5 },
  { maxFillRate: 101 },
  { externalIds: ["A,B"] },
];

/** The parts of a client that read the lists of stores. */
function pick({ contacts, expectations, expositions }: StoreClient) {
  return { contacts, expectations, expositions };
}

const storeMisuses: Readonly<Record<string, Misuse<StoreClient>>> = {
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
    "fingerprint",
    [undefined, Promise.resolve(), Number.NaN, { at: [5n] }, { at: { of: Symbol("x") } }, new Map()].map(
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
    ([{ resume: "x", cursor: id }, { extra: { limit: "2" } }, { extra: { a: "\ud800" } }] as const).map(
      (query): [string, Misuse<StoreClient>] => [
        JSON.stringify(query),
        [({ stores }, options) => stores.list(query, options), pathOf(query)],
      ],
    ),
  ),
  ...named(
    "protocols",
    noInstants.map((wrong): [string, Misuse<StoreClient>] => [
      JSON.stringify(wrong),
      [({ protocols }, options) => protocols.list(id, { ...range, from: wrong as never }, options), "from"],
    ]),
  ),
  ...named(
    "pull",
    pulls.map((query): [string, Misuse<StoreClient>] => [
      JSON.stringify(query),
      [(client, options) => client.protocols.pull(id, query as never, options), pathOf(query)],
    ]),
  ),
  ...named(
    "get",
    ([".", "..", "\ud800"] as const).map((wrong): [string, Misuse<StoreClient>] => [
      JSON.stringify(wrong),
      [({ stores }, options) => stores.get(wrong, options), "externalId"],
    ]),
  ),
  "list with headers that are an array": ({ stores }, options) =>
    stores.list({}, { ...options, headers: [["a", "b"]] as never }),
  "get with headers that are a map": ({ stores }, options) =>
    stores.get(id, { ...options, headers: new Map([["a", "b"]]) as never }),
  "an inverted range of the wrong type": ({ protocols }, options) =>
    protocols.list(id, { from: "x", to: from }, options),
  "modify a property that is not sent": ({ stores }, options) =>
    stores.modify(id, () => ({ storeId: "x" }), options),
  "modify with a deep value": ({ stores }, options) =>
    stores.modify(id, () => ({ openingTimes: deep as never }), options),
  "modify contacts with a wrong element": ({ contacts }, options) =>
    contacts.modify(id, () => [{ name: 5 }] as never, options),
  "modify contacts with a deep element": ({ contacts }, options) =>
    contacts.modify(id, () => [deep] as never, options),
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
  "planStores with an unknown property": ({ stores }, options) =>
    planStores([{ externalId: "A", color: 5 } as never], stores.list({}, options)),
  "planStores with lists and no client": ({ stores }, options) =>
    planStores([{ externalId: id, contacts: [] }], stores.list({}, options)),
  "planStores with lists of one store and no client": ({ stores }, options) =>
    planStores([{ externalId: "A" }, { externalId: id, expositions: [] }], stores.list({}, options)),
  "planStores with the client of another service": (client, options) =>
    planStores([], client.stores.list({}, options), {
      store: { ...pick(client), baseUrl: "https://other.example" },
    }),
  "planStores of a list with wrong stores": () => {
    const stores = [null, { externalId: "A" }, { externalId: "A" }, 5];
    const actual = { isWhole: true, [Symbol.asyncIterator]: () => stores.values() };
    return planStores([{ externalId: "A" }], actual as never);
  },
  "planStores of a deep store": ({ stores }, options) =>
    planStores([{ externalId: "A", openingTimes: deep as never }], stores.list({}, options)),
  "planStores of a part": ({ stores }, options) =>
    planStores([{ externalId: "A" }], stores.list({ cursor: id }, options)),
  "planStores with a wrong list": ({ stores }, options) =>
    planStores([{ externalId: id, contacts: 5 } as never], stores.list({}, options)),
  "applyPlan of another service": (client, options) =>
    applyPlan(client, { baseUrl: "https://other.example", create: [], update: [] }, options),
  "fetch another origin": ({ fetch }) => fetch("https://elsewhere.example/v1/stores"),
};

const desired = { plateNumber: "P" };

const fleetMisuses: Readonly<Record<string, Misuse<FleetClient>>> = {
  "page with resume": ({ vehicles }, options) => vehicles.list({ page: 2, resume: "x" }, options),
  "ensure without a key": ({ vehicles }, options) => ensure(vehicles, [desired], options as never),
  "ensure with the name of no key": ({ vehicles }, options) =>
    ensure(vehicles, [{ brand: "A" }], { ...options, key: "plateNumber" }),
  "ensure of one twice": ({ vehicles }, options) =>
    ensure(vehicles, [desired, desired], { ...options, key: "plateNumber" }),
};

async function use(result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  for await (const item of result as AsyncIterable<unknown>) void item;
  return undefined;
}

const values = {
  store: { ...storeValues, ...storeOutcomes, ...storePairs, ...storeEdges },
  fleet: { ...fleetValues, ...fleetOutcomes, ...fleetPairs, ...fleetEdges },
} as const;
const misuses = { store: storeMisuses, fleet: fleetMisuses } as const;

/** The names of the calls of each API. */
export function inputsOf(api: ApiName): string[] {
  return [...Object.keys(values[api]), ...Object.keys(misuses[api])];
}

/** A history of one such call. */
export function historyOf(api: ApiName, method: string): Scenario {
  return {
    api,
    seed: 2,
    readings: {},
    world: { entities: 3, unnamed: 0, protocols: 2, spacing: 5000, pairs: false },
    client: { via: "transport", token: "fixed", configuredGaps: [] },
    faults: {},
    changes: {},
    programs: [[{ do: "misuse", method }]],
  };
}

/** The outcomes of each call by API and name, as misuse-texts.ts writes it. */
const texts = new Map(
  readFileSync(join(root, "test/simulation/misuses.txt"), "utf8")
    .split(/\n(?=\S)/)
    .map((entry) => {
      const [name = "", ...lines] = entry.trimEnd().split("\n  ");
      return [name, lines];
    }),
);

export async function runMisuse(
  world: SimulatedWorld,
  client: object,
  { method }: MisuseStep,
  name: string,
): Promise<void> {
  const { observer, scenario } = world;
  const record = observer.start(name, { repeatable: true, parallel: 4, isWalk: true });
  const run = (values[scenario.api] as Readonly<Record<string, Run<object> | Tried<object>>>)[method]; // the API decides about the client
  const lines =
    run === undefined
      ? [await refuse(world, client, method, name)]
      : await tryKinds(world, client, run, name);
  observer.finish(record);
  const entry = `${scenario.api} ${method}`;
  observer.note(`input ${JSON.stringify([entry, ...lines])}`);
  const expected = texts.get(entry);
  if (!isDeepStrictEqual(lines, expected))
    observer.violate(`${name} says about ${entry}: ${lines.join("; ")}, expected ${expected?.join("; ")}`);
}

/** A call that is refused, with its path. */
async function refuse(world: SimulatedWorld, client: object, method: string, name: string): Promise<string> {
  const { observer, scenario, service } = world;
  const entry = misuses[scenario.api][method as never] as Misuse<object>; // the API decides about the client
  const [run, path] = typeof entry === "function" ? [entry] : entry;
  const { error, text } = await outcomeOf(world, name, () =>
    run(client, { headers: { [callHeader]: name } }),
  );
  if (error === undefined) observer.violate(`${name} accepts wrong input: ${method}`);
  const { issues = [] } = (error ?? {}) as Partial<InvalidRequestError>;
  if (path !== undefined && error instanceof InvalidRequestError && !issues.some((one) => one.path === path))
    observer.violate(`${name} does not name ${path}: ${error.message}`);
  if (service.applications.length > 0) observer.violate(`${name} writes wrong input: ${method}`);
  return text;
}

/** The kinds of values with the same outcome, and this outcome. */
async function tryKinds(
  world: SimulatedWorld,
  client: object,
  entry: Run<object> | Tried<object>,
  name: string,
): Promise<string[]> {
  const outcomes = new Map<string, string[]>();
  const { values: tried, run } = typeof entry === "function" ? { values: kinds, run: entry } : entry;
  for (const [kind, value] of Object.entries(tried)) {
    const call = (): unknown => run(client, { headers: { [callHeader]: name } }, value as never);
    const { text } = await outcomeOf(world, name, call);
    outcomes.set(text, [...(outcomes.get(text) ?? []), kind]);
  }
  return [...outcomes].map(([text, names]) => `${names.join(" ")}: ${text}`);
}

/** The error about input in which a call ends, and its text. */
async function outcomeOf(
  { observer }: SimulatedWorld,
  name: string,
  call: () => unknown,
): Promise<{ error?: ShelfleetError; text: string }> {
  const ending = await endOf((async () => use(await call()))());
  const error = "error" in ending ? ending.error : undefined;
  if (error instanceof ShelfleetError) checkMessage(observer, name, error);
  else if (error !== undefined) observer.violate(`${name} rejected with ${describe(error)}`);
  if (error instanceof ShelfleetError) return { error, text: String(error) };
  const value = "value" in ending ? ending.value : undefined;
  return { text: typeof value === "string" ? value : "accepted" };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
}
