/** Calls of clients with shapes of each behavior, and with single hooks: what they return, or the error. */
import type { FleetClient, Shape, StoreClient } from "../../src/index.ts";
import { firstInstant, storeId } from "./store-data.ts";
import type { Run } from "./wrong-values.ts";

/** A call, and the values that it is tried with. */
export interface Tried<Client> {
  readonly values: Readonly<Record<string, unknown>>;
  readonly run: Run<Client>;
}

function shape(validate: (value: unknown) => unknown): Shape {
  return { "~standard": { version: 1, validate: validate as Shape["~standard"]["validate"] } }; // some are wrong
}

const wrong = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    message: `is wrong ${index}`,
    path: ["a", { key: index }],
  }));

const behaviors: Readonly<Record<string, Shape>> = {
  marks: shape((value) => ({ value: { ...(value as object), marked: true } })),
  "marks later": shape(async (value) => ({ value: { ...(value as object), marked: true } })),
  "returns a number": shape(() => ({ value: 7 })),
  refuses: shape(() => ({ issues: [{ message: "is wrong" }] })),
  "refuses a part": shape(async () => ({ issues: wrong(1) })),
  "refuses six parts": shape(() => ({ issues: wrong(6) })),
};

/** Paths of no operation, whose words an error may show. */
const paths = "/v1/stores /v12/stores /v1x /a-b/S-1 /A /a_b /".concat("a".repeat(25)).split(" ");

const id = storeId(0);
const range = { from: new Date(firstInstant - 5000).toISOString(), to: "2027-01-01T00:00:00Z" };
const pulled = { since: range.from, allowedLateness: 0 };

/** The part of a result that a shape makes. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(describe).join()}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const { marked, images } = value as { readonly marked?: unknown; readonly images?: unknown };
  const own = marked === true ? "marked" : "an object";
  return Array.isArray(images) && images.length > 0 ? `${own} with images ${describe(images)}` : own;
}

async function pullAll(batches: AsyncIterable<{ readonly items: unknown[] }>): Promise<string> {
  const texts: string[] = [];
  for await (const { items } of batches) texts.push(describe(items));
  return texts.join();
}

function shaped<Client>(
  calls: Readonly<
    Record<string, readonly [shapes: string, run: (client: Client, options: object) => unknown]>
  >,
): Record<string, Tried<Client>> {
  const entries = Object.entries(calls).map(([name, [names, run]]): [string, Tried<Client>] => [
    `shapes: ${name}`,
    {
      values: behaviors,
      run: async (client, options, behavior) => {
        const shapes = Object.fromEntries(names.split(" ").map((each) => [each, behavior]));
        const own = (client as { withOptions(changes: object): Client }).withOptions({ shapes });
        const value = await run(own, options);
        return typeof value === "string" ? value : describe(value);
      },
    },
  ]);
  return Object.fromEntries(entries);
}

const hooks =
  "onCall onCallEnd onSend onRequest onResponse onSettled onRetry onError onDrift onHookError".split(" ");

/** Each hook by itself: how often two calls and a list call it, one of which fails. */
function hooked<Client>(
  run: (client: Client, options: object) => readonly PromiseLike<unknown>[],
): Record<string, Tried<Client>> {
  return {
    "hooks that are alone": {
      values: Object.fromEntries(hooks.map((hook) => [hook, hook])),
      run: async (client, options, hook) => {
        const events: string[] = [];
        const note = (event: unknown): void => {
          const { operation, attempt, status } = event as Readonly<Record<string, string | undefined>>;
          events.push(`${operation} ${attempt} ${status}`);
        };
        const own = (client as { withOptions(changes: object): Client }).withOptions({
          hooks: { [hook]: note },
          log: { writeRequest: () => {} },
        });
        await Promise.allSettled(run(own, options));
        return events.toSorted().join(", ");
      },
    },
  };
}

export const storeOutcomes: Readonly<Record<string, Tried<StoreClient>>> = {
  "fetch of a path": {
    values: Object.fromEntries(paths.map((path) => [path, path])),
    run: (client, _, path) =>
      client.withOptions({ maxResponseBytes: 1 }).fetch(client.baseUrl + String(path)),
  },
  ...hooked(({ stores }, options) => [
    stores.get(id, options),
    stores.get("none", options),
    stores.list({}, options),
  ]),
  ...shaped<StoreClient>({
    "protocols.list": ["protocol", ({ protocols }, options) => protocols.list(id, range, options).toArray()],
    "protocols.pull": ["protocol", ({ protocols }, options) => pullAll(protocols.pull(id, pulled, options))],
    "protocols.get": [
      "protocol protocolImage",
      async ({ protocols }, options) => {
        const [first] = await protocols.list(id, { ...range, limit: 1 }, options).take(1);
        const { protocolId = "P" } = (first ?? {}) as { readonly protocolId?: string };
        return protocols.get(id, protocolId, options);
      },
    ],
    "protocol images": [
      "protocolImage",
      async ({ protocols }, options) => {
        const [first] = await protocols.list(id, { ...range, limit: 1 }, options).take(1);
        const { protocolId = "P" } = (first ?? {}) as { readonly protocolId?: string };
        return protocols.get(id, protocolId, options);
      },
    ],
    "photos.list": ["photo", ({ photos }, options) => photos.list(id, range, options).toArray()],
    "photos.pull": ["photo", ({ photos }, options) => pullAll(photos.pull(id, pulled, options))],
    "fillRates.across": ["fillRates", ({ fillRates }, options) => fillRates.across(range, options)],
    "fillRates.forStore": [
      "storeFillRates",
      ({ fillRates }, options) => fillRates.forStore(id, range, options),
    ],
  }),
};

const vehicle = { plateNumber: "P", brand: "MAN" };

export const fleetOutcomes: Readonly<Record<string, Tried<FleetClient>>> = {
  ...hooked(({ vehicles }, options) => [
    vehicles.get("none", options),
    vehicles.create(vehicle, options),
    vehicles.list({}, options),
  ]),
  ...shaped<FleetClient>({
    "vehicles.list": ["vehicle", ({ vehicles }, options) => vehicles.list({}, options).toArray()],
    "vehicles.get": [
      "vehicle",
      async ({ vehicles }, options) => {
        const { raw } = await vehicles.list({}, options);
        const [first] = (raw as { readonly data: readonly { readonly id: string }[] }).data;
        return vehicles.get(first?.id ?? "none", options);
      },
    ],
    "vehicles.create": ["vehicle", ({ vehicles }, options) => vehicles.create(vehicle, options)],
    "vehicles.create an input": [
      "vehicleInput",
      ({ vehicles }, options) => vehicles.create(vehicle, options),
    ],
    "vehicleGroups.create an input": [
      "vehicleGroupInput",
      ({ vehicleGroups }, options) => vehicleGroups.create({ name: "G" }, options),
    ],
  }),
};
