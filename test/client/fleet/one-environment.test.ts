import { describe, expect, it, onTestFinished } from "vitest";
import { ensure, FleetClient, type FleetClientOptions } from "../../../src/client/fleet/index.ts";
import { nodeTransport } from "../../../src/client/node/index.ts";
import { StoreClient } from "../../../src/client/store/index.ts";
import { respondWith, socketServer } from "../core/socket-server.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { json, type SentRequest, stubFetch } from "../core/stub-fetch.ts";
import {
  anyData,
  key,
  listServer,
  pageOf,
  rejection,
  type Row,
  rows,
  stubClient,
  testKey,
  uuid,
} from "./stub-client.ts";
import { raw } from "../../../src/client/raw/index.ts";
import type { EnsurableResource } from "../../../src/client/fleet/ensure-run.ts";

const environments = {
  production: "https://fleet.example/api/third-party/v1",
  sandbox: "https://sandbox.example/api/third-party/v1",
};
/** One base URL for all keys, and one for each environment. */
const bases: [string, Partial<FleetClientOptions>][] = [
  ["two base URLs", { environments }],
  ["one base URL", { baseUrl: environments.production }],
];
/** The status after which a call is sent again, and asks the key function again. */
const repeats = [401, 429, 500, 503];

const respondFirst =
  (status: number) =>
  (_: SentRequest, index: number): Response =>
    index === 0 ? json({}, { status, headers: { "retry-after": "0" } }) : json(anyData);

/** A client whose key function returns these keys in turn, then the last one. */
function clientWith(keys: string[], options: Partial<FleetClientOptions>, respond = listServer(rows(9), 3)) {
  const { fetch, sent } = stubFetch(respond);
  const next = (): string => (keys.length > 1 ? keys.shift() : keys[0]) as string;
  const client = new FleetClient({
    key: next,
    fetch,
    retry: { maxDelay: 1 },
    ...options,
  } as FleetClientOptions);
  return { client, sent };
}

describe.each(bases)("with %s", (_name, options) => {
  /** A service with one vehicle, and an `ensure` that changes it and creates another one. */
  const runEnsure = (keys: string[]) => {
    const vehicles: Row[] = [{ id: "v-1", plateNumber: "WX 1" } as Row];
    const { client, sent } = clientWith(keys, options, ({ method, body, path }) => {
      if (path.endsWith("/vehicles") && method === "GET") return json(pageOf(vehicles, 1, 50));
      if (method === "GET") return json({ ...anyData, data: vehicles[0] });
      const data = { id: "v-2", ...(body as object) };
      if (method === "POST") vehicles.push(data);
      return json({ ...anyData, data });
    });
    const desired = [
      { plateNumber: "WX 1", brand: "MAN" },
      { plateNumber: "WX 2", brand: "DAF" },
    ];
    const run = ensure(client.vehicles, desired, { key: "plateNumber", concurrency: 1 });
    return { run, sent };
  };

  it.each([1, 2, 3, 4])(
    "ensure sends nothing to another environment than that of its list, if the key changes after %i requests",
    async (requests) => {
      const { run, sent } = runEnsure([...Array.from({ length: requests }, () => key), testKey]);
      const failure = await run.then(
        (results) => results.find(({ error }) => error !== undefined)?.error,
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ name: "ConfigurationError" });
      expect(sent).toHaveLength(requests);
    },
  );

  it.each([
    "vehicles",
    "vehicleGroups",
    "damages",
    "inspections",
    "inspectionTemplates",
    "driverAssignments",
  ] as const)("ensure reads no detail of %s in another environment than that of its list", async (name) => {
    const { client, sent } = clientWith([key, testKey, key], options, ({ path }) =>
      json(path.endsWith(uuid) ? { data: { id: uuid } } : pageOf([{ id: uuid, no: "1" }], 1, 50)),
    );
    const resource = client[name] as EnsurableResource<JsonObject>;
    const results = await ensure(resource, [{ no: "1", status: "new" }], { key: "no" });
    expect(results).toMatchObject([{ outcome: "failed", error: { name: "ConfigurationError" } }]);
    expect(sent).toHaveLength(1);
  });

  it("ensure accepts another key of the same environment", async () => {
    const { run, sent } = runEnsure([key, key.replaceAll("0", "1")]);
    expect((await run).map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET", "PUT", "POST", "GET"]);
  });

  it.each(repeats.flatMap((status) => [key, testKey].map((first) => [status, first] as const)))(
    "a call is not sent again after %i with a key of another environment than %s",
    async (status, first) => {
      const keys = [first, first === key ? testKey : key];
      const calls = [
        (client: FleetClient) => client.vehicles.create({}),
        (client: FleetClient) => client.vehicles.get("v"),
        (client: FleetClient) => client.vehicles.delete("v"),
        (client: FleetClient) => raw(client).POST("/vehicles", { body: {} }),
      ];
      for (const call of calls) {
        const { client, sent } = clientWith([...keys], options, respondFirst(status));
        const error = await rejection(call(client).then((result) => Promise.reject(result)));
        if (sent.length === 1 && (error as Error).name !== "ConfigurationError") continue; // it is not repeated at all
        expect(error).toMatchObject({
          name: "ConfigurationError",
          message: expect.stringContaining("not sent") as string,
        });
        expect(sent).toHaveLength(1);
      }
    },
  );

  it.each([1, 3])("a walk ends at a key of another environment, %i pages at a time", async (concurrency) => {
    const { client, sent } = clientWith([key, testKey], options);
    const walk = async (): Promise<void> => {
      for await (const _ of client.vehicles.list({ limit: 3 }).items({ concurrency }));
    };
    expect(await rejection(walk())).toMatchObject({ name: "ConfigurationError" });
    expect(sent).toHaveLength(1);
  });

  it("a resume token of another environment is rejected before a request", async () => {
    const { client, sent } = clientWith([testKey, key], options);
    const { resume } = await client.vehicles.list({ limit: 3 });
    const walk = client.vehicles.list({ limit: 3, resume: String(resume) });
    expect(await rejection(walk)).toMatchObject({
      name: "InvalidRequestError",
      issues: [{ path: "resume", message: "belongs to a list with another base URL or environment" }],
    });
    expect(sent).toHaveLength(1);
    const { client: other } = clientWith([testKey], options);
    expect((await other.vehicles.list({ limit: 3, resume: String(resume) })).items).toEqual(rows(6).slice(3));
  });
});

it("a resume token of another base URL is rejected by a store client", async () => {
  const { fetch, sent } = stubFetch(() =>
    json({ items: [{ storeId: "1", externalId: "a" }], nextCursor: "a" }),
  );
  const open = (host: string, resume?: string) =>
    new StoreClient({ baseUrl: `https://${host}.example`, token: "some-long-token", fetch }).stores.list({
      resume,
    });
  const { resume } = await open("one");
  expect(await rejection(open("two", String(resume)))).toMatchObject({ issues: [{ path: "resume" }] });
  expect(sent).toHaveLength(1);
});

describe("client.fetch", () => {
  it.each([
    ["sandbox", key],
    ["production", testKey],
  ] as const)("rejects a URL of the %s environment with another key", async (environment, wrong) => {
    const { client, sent } = clientWith([wrong], { environments });
    const error = await rejection(
      client.fetch(`${environments[environment]}/vehicles`, { method: "POST", body: "{}" }),
    );
    expect(error).toMatchObject({ name: "InvalidRequestError", issues: [{ path: "url" }] });
    expect(sent).toEqual([]);
  });
});

const transports = {
  fetch: () => ({}),
  node: () => {
    const transport = nodeTransport();
    onTestFinished(() => transport.close());
    return { transport };
  },
};

describe.each(Object.entries(transports))("a redirect over %s", (_, makeOptions) => {
  it.each(["get", "fetch"] as const)(
    "from the sandbox to production on one origin has no key: %s",
    async (way) => {
      const { url, requests } = await socketServer((request, response, index) =>
        index === 0
          ? respondWith(302, "", { location: "/production/api/third-party/v1/vehicles/v" })(
              request,
              response,
              index,
            )
          : respondWith(200, JSON.stringify(anyData))(request, response, index),
      );
      const sandbox = `${url}/sandbox/api/third-party/v1`;
      const client = new FleetClient({
        baseUrl: sandbox,
        key: testKey,
        headers: { "x-own": "1" },
        ...makeOptions(),
      });
      await (way === "get" ? client.vehicles.get("v") : client.fetch(`${sandbox}/vehicles/v`));
      expect(requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`);
      expect(JSON.stringify(requests[1]?.rawHeaders)).not.toMatch(/authorization|x-own/i);
    },
  );
});

it("environments of withOptions replace the base URL of the client", async () => {
  const { client, sent } = stubClient(undefined, { baseUrl: environments.production, key: testKey });
  await client.withOptions({ environments }).vehicles.get("v-1");
  await client.withOptions({ environments, baseUrl: environments.sandbox }).vehicles.get("v-1");
  await client.withOptions({ timeout: 5000 }).vehicles.get("v-1");
  const { production, sandbox } = environments;
  expect(sent.map(({ url }) => url)).toEqual(
    [sandbox, sandbox, production].map((url) => `${url}/vehicles/v-1`),
  );
});
