/** Pairs of calls that must end in the same way: with options and without, a dry run and the write itself. */
import {
  applyPlan,
  ConfigurationError,
  ensure,
  type FleetClient,
  InvalidRequestError,
  planStores,
  type StoreClient,
  upsertExpositions,
  WriteError,
} from "../../src/index.ts";
import { endOf } from "./calls.ts";
import type { Tried } from "./shape-values.ts";
import { firstInstant, storeId } from "./store-data.ts";
import { kinds } from "./wrong-values.ts";

const id = storeId(0);
const range = { from: new Date(firstInstant - 5000).toISOString(), to: "2027-01-01T00:00:00Z" };
const exposition = { label: "One", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };

/** The result of a call as text, or the error. */
async function describe(result: unknown): Promise<string> {
  const ending = await endOf(Promise.resolve(result).then(collect));
  return "error" in ending ? String(ending.error) : JSON.stringify(ending.value);
}

/** The items of a list, the pages of a walk, or another result. */
async function collect(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  const items = [];
  for await (const item of value as AsyncIterable<unknown>) items.push(item);
  return items;
}

function requireSame(one: string, other: string): string {
  if (one !== other) throw new RangeError(`ends in ${one} and in ${other}`); // a violation: not an error of the clients
  return "the same";
}

type Call<Client> = (client: Client, ...options: readonly object[]) => unknown;

/** Each call with options and without any: the options only name the call. */
function optional<Client>(calls: Readonly<Record<string, Call<Client>>>): Record<string, Tried<Client>> {
  return {
    "calls without options": {
      values: calls,
      run: async (client, options, call: Call<Client>) =>
        requireSame(await describe(call(client, options)), await describe(call(client))),
    },
  };
}

const callOptions = "timeout totalTimeout maxResponseBytes retry headers signal".split(" ");
const storeProperties =
  "name location regionId storeType openingTimes protocolCronEnabled contacts expectations expositions".split(
    " ",
  );

/** A dry run rejects exactly what applying the plan rejects, for the same reason. */
async function compareRuns(client: StoreClient, plan: Plan, options: object): Promise<string> {
  const run = async (dryRun: boolean): Promise<string> => {
    const ending = await endOf(applyPlan(client, plan, { check: false, ...options, dryRun }));
    const error = "error" in ending ? ending.error : (ending.value as { error?: unknown }[])[0]?.error;
    const isInput = [InvalidRequestError, ConfigurationError].some((type) => error instanceof type);
    const isPlan = error instanceof WriteError && error.reason === "malformed";
    return error instanceof Error && (isInput || isPlan)
      ? `${error.name} ${reasonOf(error)}`
      : "no such error";
  };
  return requireSame(await run(true), await run(false));
}

type Plan = Parameters<typeof applyPlan>[1];

function creation(desired: object): Plan {
  return { create: [{ externalId: "N-1", ...desired }], update: [] };
}

async function compareUpdates(
  client: StoreClient,
  options: object,
  changes: object,
  changed: object,
): Promise<string> {
  const before = { ...(await client.stores.get(id, options)), ...changed };
  return compareRuns(client, { create: [], update: [{ externalId: id, changes, before }] }, options);
}

/** The issues, without the names of the functions that found them. */
function reasonOf(error: Error): string {
  return error instanceof InvalidRequestError
    ? error.issues.map(({ path, message }) => `${path} ${message}`).join("; ")
    : error.message;
}

function compared(): Record<string, Tried<StoreClient>> {
  const options = callOptions.map((name): [string, Tried<StoreClient>] => [
    `a dry run with the option ${name}`,
    {
      values: kinds,
      run: (client, own, value) => compareRuns(client, creation({}), { ...own, [name]: value }),
    },
  ]);
  const properties = storeProperties.map((name): [string, Tried<StoreClient>] => [
    `a dry run of the property ${name}`,
    { values: kinds, run: (client, own, value) => compareRuns(client, creation({ [name]: value }), own) },
  ]);
  // a plan that was saved may have other values than the service
  const earlier = storeProperties.flatMap((name): [string, Tried<StoreClient>][] =>
    [{ name: "A" }, { expectations: [] }].map((changes) => [
      `a dry run of an update of ${Object.keys(changes).join()} from the property ${name}`,
      {
        values: { ...kinds, "[{ open: 2 ** 60 }]": [{ open: 2 ** 60 }] },
        run: (client, own, value) => compareUpdates(client, own, changes, { [name]: value }),
      },
    ]),
  );
  return Object.fromEntries([...options, ...properties, ...earlier]);
}

export const storePairs: Readonly<Record<string, Tried<StoreClient>>> = {
  ...compared(),
  ...optional<StoreClient>({
    "stores.list": ({ stores }, ...options) => stores.list({ limit: 2 }, ...options),
    "stores.list, verified": ({ stores }, ...options) => stores.list({ limit: 2, verify: true }, ...options),
    "pages ahead": ({ stores }, ...options) => stores.list({ limit: 1 }, ...options).items({ prefetch: 2 }),
    "protocols.list": ({ protocols }, ...options) => protocols.list(id, { ...range, limit: 1 }, ...options),
    "protocols.list in time ranges": (client, ...options) =>
      client
        .withOptions({ strategies: { "protocols.next-page": "window" } })
        .protocols.list(id, { ...range, limit: 1 }, ...options),
    "protocols.pull": async ({ protocols }, ...options) => {
      const batches = protocols.pull(id, { since: range.from, allowedLateness: 0 }, ...options);
      return ((await collect(batches)) as { items: object[] }[]).map(({ items }) => items); // `pull` gives batches
    },
    "stores.get": ({ stores }, ...options) => stores.get(id, ...options),
    "stores.modify": ({ stores }, ...options) => stores.modify(id, () => ({ name: "Other" }), ...options),
    "contacts.modify": ({ contacts }, ...options) => contacts.modify(id, (all) => all, ...options),
    upsertExpositions: (client, ...options) => upsertExpositions(client, id, [exposition], ...options),
    "planStores and applyPlan": async (client, ...options) => {
      const plan = await planStores(
        [{ externalId: id, name: `Planned with ${options.length} options`, expositions: [exposition] }],
        client.stores.list({}, ...options),
        { store: client, ...options[0] },
      );
      return (await applyPlan(client, plan, ...options)).map(({ outcome }) => outcome);
    },
  }),
};

export const fleetPairs: Readonly<Record<string, Tried<FleetClient>>> = optional<FleetClient>({
  "vehicles.list": ({ vehicles }, ...options) => vehicles.list({ limit: 2 }, ...options),
  "vehicles.list, verified": ({ vehicles }, ...options) =>
    vehicles.list({ limit: 2, verify: true }, ...options),
  "vehicles.list, reported": ({ vehicles }, ...options) =>
    vehicles.list({ limit: 2, onDrift: "report" }, ...options),
  "pages ahead": ({ vehicles }, ...options) =>
    vehicles.list({ limit: 1 }, ...options).items({ concurrency: 2 }),
  ensure: (client, ...options) =>
    ensure(client.vehicles, [{ plateNumber: "P" }], { key: "plateNumber", ...options[0] }).then(
      ({ length }) => length, // the second run creates nothing
    ),
});
