import { describe, expect, it } from "vitest";
import { applyPlan, ConfigurationError, InvalidRequestError, mirror, StoreClient } from "../../src/index.ts";
import { listServer, rows, stubClient as fleetStub } from "./fleet/stub-client.ts";
import { range, stubClient } from "./store/stub-client.ts";

/** An object whose property is that of its class, which a copy of the object does not have. */
class Settings {
  get headers() {
    return { "x-tenant": "a" };
  }
}

const hidden: [string, object][] = [
  ["the getters of a class", new Settings()],
  ["another object as prototype", Object.create({ headers: { "x-tenant": "a" } }) as object],
];
const message = "the options must be a plain object";

describe.each(hidden)("options with %s, which a copy of them would lack, are rejected by", (_, options) => {
  it("a list", () => {
    const { client } = stubClient();
    expect(() => client.stores.list({}, options)).toThrow(new ConfigurationError(message));
  });

  it("functions that separate them from the options of their calls", async () => {
    const { client, sent } = stubClient();
    const plan = { create: [], update: [{ externalId: "S-1", changes: {}, before: {} }] };
    const calls = [
      client.stores.modify("S-1", () => ({ name: "b" }), options),
      client.contacts.modify("S-1", () => [], options),
      client.expectations.modify("S-1", () => [], options),
      client.expositions.modify("S-1", () => [], options),
      applyPlan(client, plan as never, options),
    ];
    for (const call of calls) await expect(call).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it("withOptions and the clients, whose options withOptions copies", () => {
    const { client } = stubClient();
    expect(() => client.withOptions(options)).toThrow(message);
    const own = { baseUrl: "https://store.example", token: "tok-1234567890" };
    const all = Object.defineProperties(Object.create(Object.getPrototypeOf(options) as object), {
      ...Object.getOwnPropertyDescriptors(own),
    }) as typeof own;
    expect(() => new StoreClient(all)).toThrow(message);
  });
});

it("an object of a class with its own properties is accepted as options", async () => {
  class Own {
    headers = { "x-tenant": "a" };
  }
  const { client, sent } = stubClient();
  await client.stores.list({}, new Own());
  expect(sent[0]?.headers["x-tenant"]).toBe("a");
});

it("the options of a mirror may be those of a class", async () => {
  class Options {
    get maxPasses() {
      return 0;
    }
  }
  const { client } = fleetStub(listServer(rows(1), 50));
  const sink = { load: () => null, find: () => new Map(), save() {}, countUnseen: () => 0, remove() {} };
  await expect(mirror(client.vehicles.list(), sink, new Options())).rejects.toThrow(
    "maxPasses must be an integer",
  );
});

describe("a query whose parameters would be left out is rejected:", () => {
  class Filter {
    get vehicleId() {
      return "v-1";
    }
  }

  it.each<[string, unknown]>([
    ["a Map", new Map([["vehicleId", "v-1"]])],
    ["URLSearchParams", new URLSearchParams({ vehicleId: "v-1" })],
    ["the getters of a class", new Filter()],
    ["an object with another one as prototype", Object.create({ vehicleId: "v-1" })],
    ["a number", 5],
  ])("%s", async (_, query) => {
    const { client, sent } = fleetStub(listServer(rows(3), 50));
    const failure = client.damages.list(query as object).toArray();
    await expect(failure).rejects.toMatchObject({
      name: "InvalidRequestError",
      issues: expect.arrayContaining([{ path: "query", message: "must be a plain object" }]) as unknown,
    });
    expect(sent).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["a Map", new Map([["region", "north"]])],
    ["URLSearchParams", new URLSearchParams({ region: "north" })],
    ["the getters of a class", new Filter()],
  ])("its `extra` is %s", async (_, extra) => {
    const { client, sent } = stubClient();
    const issue = { path: "extra", message: "must be an object of strings" };
    const refused = { name: "InvalidRequestError", issues: [issue] };
    await expect(client.stores.list({ extra: extra as never }).toArray()).rejects.toMatchObject(refused);
    const pulled = { since: range.from, allowedLateness: 0, extra };
    const batches = client.protocols.pull("S-1", pulled as never);
    await expect(batches.next()).rejects.toMatchObject(refused);
    expect(sent).toEqual([]);
  });

  it("that of a pull has the getters of a class", async () => {
    const { client, sent } = stubClient();
    class Options {
      get since() {
        return range.from;
      }
    }
    const batches = client.protocols.pull("S-1", new Options() as never);
    await expect(batches.next()).rejects.toThrow("allowedLateness must be a number"); // it reads `since`
    await expect(client.fillRates.across(new Map() as never)).rejects.toBeInstanceOf(InvalidRequestError);
    expect(sent).toEqual([]);
  });
});

describe("a Map instead of an object is rejected as", () => {
  const map = new Map([["x-tenant", "a"]]) as never;

  it.each(["readings", "strategies", "headers"])("%s of a client", (name) => {
    expect(() => stubClient(undefined, { [name]: map })).toThrow(`${name} must be an object`);
  });

  it("headers with the getters of a class, of a call and of a list", async () => {
    class Headers {
      get "x-tenant"() {
        return "a";
      }
    }
    const { client, sent } = stubClient();
    const options = { headers: new Headers() as never };
    await expect(client.stores.get("S-1", options)).rejects.toThrow("headers must be an object");
    await expect(client.stores.list({}, options)).rejects.toThrow("headers must be an object");
    expect(sent).toEqual([]);
  });
});
