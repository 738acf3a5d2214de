import { describe, expect, it } from "vitest";
import { version } from "../../src/wire/version.ts";
import type { QueryRule } from "../../src/wire/operation.ts";
import { type Fetch, FleetClient, StoreClient } from "../../src/index.ts";
import { fleetSamples } from "./fleet-samples.ts";
import { type ApiOperation, operationsOf, pathNames } from "./operations.ts";
import type { Sample } from "./sample.ts";
import { anyStoreIds, storeSamples } from "./store-samples.ts";

const uuid = "11111111-1111-1111-1111-111111111111";
const id = "..S/1 ä%2e?#";
const samples: Record<string, Sample> = {
  ...storeSamples(anyStoreIds(uuid)),
  ...fleetSamples({ inspectionId: uuid }),
};

/** The client's names of parameters whose names are gaps. */
const argumentNames: Record<string, string> = {
  "templates.group-filter": "vehicleGroup",
  "templates.title-filter": "title",
};

/** A value of a parameter as a caller gives it, and as it is sent. */
function valuesOf(name: string, { type, values, maximum }: QueryRule): [given: unknown, sent: string] {
  const last = values?.at(-1) ?? "S/1 ä";
  if (type === "boolean") return [false, "false"];
  if (type === "integer") return [maximum ?? 2, String(maximum ?? 2)];
  if (type === "number") return name.startsWith("min") ? [0, "0"] : [99.5, "99.5"];
  if (type === "comma-list") return [["S-1", "S 2"], "S-1,S 2"];
  if (type === "uuid") return [uuid, uuid];
  if (type === "string") return [last, last];
  if (name === "from") return [new Date("2026-01-01"), "2026-01-01T00:00:00.000Z"];
  return ["2026-01-02T00:00:00+02:00", "2026-01-01T22:00:00.000Z"];
}

/** A query with every parameter, as a caller gives it and as it is sent. */
function queryOf({ rules, list }: ApiOperation): { given: object; sent: object } {
  const extra = { region: "ä b" };
  const given: Record<string, unknown> = list === undefined ? {} : { extra };
  const sent: Record<string, string> = list === undefined ? {} : { ...extra };
  for (const [name, rule] of Object.entries(rules))
    [given[argumentNames[rule.nameGap ?? ""] ?? name], sent[name]] = valuesOf(name, rule);
  return { given, sent };
}

const secrets = { store: "token-of-the-test", fleet: `acme_${"0123456789abcdef".repeat(4)}` };
const bases = { store: "/base", fleet: "/api/third-party/v1" };

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

/** Valid as the response of every operation of the store API; a written list comes back as it was sent. */
const anyBody = {
  ...Object.fromEntries(
    operations.flatMap(({ entityId }) => (entityId === undefined ? [] : [[entityId, uuid]])),
  ),
  externalId: id,
  images: [],
  nextCursor: null,
};
const pagination = {
  currentPage: 1,
  totalPages: 1,
  totalCount: 0,
  hasNextPage: false,
  hasPreviousPage: false,
};

/** A client of an API, and the requests that it sends. */
function open(api: "store" | "fleet") {
  const sent: object[] = [];
  const fetch: Fetch = async (input, { method, headers, body }) => {
    const { pathname: path, searchParams } = new URL(input);
    const json = body === undefined ? undefined : (JSON.parse(body) as Record<string, unknown>);
    sent.push({ method, path, query: Object.fromEntries(searchParams), body: json, headers });
    const list = (Object.values(json ?? {}).find(Array.isArray) ?? []) as object[]; // elements
    const items = list.map((element) => ({
      contactType: "store",
      hasWhatsapp: false,
      status: "active",
      ...element,
    }));
    const isList = searchParams.has("page");
    const data = isList ? [] : { id: "x-1" };
    return Response.json(
      api === "store"
        ? { ...anyBody, ...json, items }
        : {
            data,
            meta: {
              version: "v1",
              pagination: { ...pagination, currentPage: Number(searchParams.get("page")) },
            },
          },
    );
  };
  const baseUrl = `https://${api}.example${bases[api]}`;
  const client =
    api === "store"
      ? new StoreClient({ baseUrl, token: secrets.store, fetch })
      : new FleetClient({ baseUrl, key: secrets.fleet, fetch });
  return { client, sent };
}

type Method = (...args: unknown[]) => PromiseLike<unknown>;

const isUuid = ({ formats }: ApiOperation, path: string): boolean => formats?.[path] === "uuid";

/** The client's method of an operation. */
function methodOf(client: unknown, { client: { resource, name } }: ApiOperation): Method {
  // x-method names a method of the client (test/types/methods.test-d.ts)
  const methods = (client as Record<string, Record<string, Method>>)[resource];
  return (...args) => methods?.[name]?.(...args) ?? Promise.reject(new Error(`no method ${name}`));
}

/** The query or body that is valid for an operation, if it has one. */
function inputOf(operation: ApiOperation): unknown[] {
  const body = samples[operation.id]?.body as Record<string, unknown> | undefined;
  const { bodyArgument } = operation.client;
  if (body !== undefined) return [bodyArgument === undefined ? body : body[bodyArgument]];
  const { given } = queryOf(operation);
  return Object.keys(given).length > 0 ? [given] : [];
}

describe("a client", () => {
  it.each(operations)(
    "sends every ID, parameter and body of $id as the contract shows, with the options of the call",
    async (operation) => {
      const { client, sent } = open(operation.api);
      const body = samples[operation.id]?.body;
      const ids = pathNames(operation).map((path) => (isUuid(operation, path) ? uuid : id));
      const options = { headers: { "x-of-call": "1" } };
      await methodOf(client, operation)(...ids, ...inputOf(operation), options);
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
        isUuid(operation, part) ? uuid : "..S%2F1%20%C3%A4%252e%3F%23",
      );
      const headers = {
        accept: "application/json",
        "user-agent": `shelfleet/${version}`,
        authorization: `Bearer ${secrets[operation.api]}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        "x-of-call": "1",
      };
      const { method, api } = operation;
      const query = queryOf(operation).sent;
      expect(sent).toEqual([{ method, path: bases[api] + path, query, body, headers }]);
    },
  );

  it.each(operations.filter((operation) => pathNames(operation).length > 0))(
    "sends no request of $id with a wrong ID, which the error names",
    async (operation) => {
      const names = pathNames(operation);
      for (const [at, path] of names.entries()) {
        const wrong = ["", ".", "..", "\ud800", 5, null, undefined];
        for (const value of isUuid(operation, path) ? [...wrong, "no uuid"] : wrong) {
          const { client, sent } = open(operation.api);
          const ids: unknown[] = names.map((name) => (isUuid(operation, name) ? uuid.toUpperCase() : "..."));
          const call = methodOf(client, operation)(...ids.with(at, value), ...inputOf(operation));
          await expect(call).rejects.toMatchObject({ name: "InvalidRequestError", issues: [{ path }] });
          expect(sent).toEqual([]);
        }
      }
    },
  );
});
