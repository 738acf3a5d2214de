import { expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../../../src/index.ts";
import { createReferenceServer } from "../../../../src/mock/index.ts";
import { callSample } from "../../../operations/sample-arguments.ts";
import { operationsOf, pathNames } from "../../../operations/operations.ts";
import { json } from "../stub-fetch.ts";

/** Calls an operation with its sample. `change` changes the JSON of the response, as a cache in front of the service does. */
function call(id: string, change: (text: string) => string, readings = {}): Promise<unknown> {
  const ref = createReferenceServer({ readings });
  const options = {
    fetch: async (...request: Parameters<typeof fetch>) => {
      const text = await (await ref.fetch(...request)).text();
      return json(JSON.parse(change(text)));
    },
    validate: "full",
  } as const;
  const clients = {
    ref,
    store: new StoreClient({ ...options, baseUrl: ref.storeUrl, token: ref.token ?? "" }),
    fleet: new FleetClient({ ...options, baseUrl: ref.fleetUrl, key: ref.key ?? "" }),
  };
  const operation = all.find((one) => one.id === id);
  if (operation === undefined) throw new Error(id);
  return Promise.resolve(callSample(clients, operation));
}

const all = [...operationsOf("store"), ...operationsOf("fleet")];
/** The operations whose response contains an ID of the path. */
const identified = all
  .filter(({ id, response }) => id === "listPhotos" || !/page|deleted|object/.test(response))
  .map((operation) => ({ id: operation.id, name: pathNames(operation).at(-1) ?? "" }))
  .filter(({ name }) => name !== "");

const other = "99999999-9999-4999-8999-999999999999";
const replaceId = (name: string) => (text: string) =>
  text.replace(new RegExp(`"${name}":"[^"]*"`), `"${name}":"${other}"`);

it.each(identified)(
  'validate: "full" rejects the response of $id about another entity',
  async ({ id, name }) => {
    await expect(call(id, replaceId(name))).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      issues: [{ message: "is that of another entity than the requested one" }],
    });
  },
);

it.each(identified)(
  'validate: "full" rejects the response of $id with a number as another ID',
  async ({ id, name }) => {
    const change = (text: string) => text.replace(new RegExp(`"${name}":"[^"]*"`), `"${name}":7`);
    await expect(call(id, change)).rejects.toMatchObject({ name: "UnexpectedResponseError" });
  },
);

it.each(identified)(
  'validate: "full" accepts the response of $id in another letter case',
  async ({ id, name }) => {
    const upper = (text: string) =>
      text.replace(new RegExp(`"${name}":"[^"]*"`), (found) =>
        found.replace(/:.*/, (value) => value.toUpperCase()),
      );
    await expect(call(id, upper)).resolves.toBeDefined();
  },
);

it.each([
  ["exact", "S-new"],
  ["normalized", "s-new"],
] as const)(
  'validate: "full" accepts a store that the body has renamed, if IDs are %s',
  async (equality, renamed) => {
    const readings = {
      "stores.body-external-id": "renames",
      "stores.external-id-equality": equality,
    } as const;
    const ref = createReferenceServer({ readings });
    const store = new StoreClient({
      baseUrl: ref.storeUrl,
      token: ref.token ?? "",
      fetch: ref.fetch,
      validate: "full",
    });
    expect(await store.stores.upsert("S-1", { externalId: "S-new" })).toMatchObject({ externalId: renamed });
  },
);
