import { describe, expect, it, onTestFinished } from "vitest";
import { contactTypes } from "../../../generated/store.enums.ts";
import type { OperationId } from "../../../src/mock/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import type { RequestCase } from "../../operations/request-cases.ts";
import { bodyText, targetOf } from "../../operations/contract-cases.ts";
import { proxyFor } from "./upstream.ts";
import { operationNamed, operations, sampleOf, sentence } from "./walk.ts";

/** A response that violates the contract, with the one violation that the proxy must report. */
interface Broken {
  readonly name: string;
  readonly operation: OperationId;
  readonly requested?: RequestCase;
  /** Changes the JSON of the real response. */
  readonly change?: (body: never) => unknown;
  readonly response?: { status?: number; body?: unknown; headers?: Record<string, string> };
  /** Place, expectation and received value. */
  readonly violation: string;
}

interface Row {
  [name: string]: unknown;
}
interface Page {
  items: Row[];
  data: Row[];
  nextCursor?: unknown;
  meta: { version?: unknown; pagination: Row; filters?: unknown; field?: Row };
}

const first = (rows: Row[], change: Row): Row[] =>
  rows.map((row, at) => (at === 0 ? { ...row, ...change } : row));
const numbered = ({ meta, ...body }: Page, change: Row): object => ({
  ...body,
  meta: { ...meta, pagination: { ...meta.pagination, ...change } },
});
const store = { externalId: "S-1" };
const JSON_HEADERS = { "content-type": "application/json" };

const broken: Broken[] = [
  {
    name: "a property of another type",
    operation: "getStore",
    change: (body: Row) => ({ ...body, protocolCronEnabled: "yes" }),
    violation: "/protocolCronEnabled: expected a boolean, got a string",
  },
  {
    name: "a missing property",
    operation: "getStore",
    change: ({ loginCode: _, ...body }: Row) => body,
    violation: "/loginCode: expected a string, got nothing",
  },
  {
    name: "null where null is not allowed",
    operation: "getStore",
    change: (body: Row) => ({ ...body, name: null }),
    violation: "/name: expected a string, got null",
  },
  {
    name: "an ID that is not a UUID",
    operation: "getStore",
    change: (body: Row) => ({ ...body, storeId: "7" }),
    violation: "/storeId: expected a UUID, got a string",
  },
  {
    name: "a value outside an enumeration",
    operation: "getContacts",
    change: (body: Page) => ({ ...body, items: first(body.items, { contactType: "owner" }) }),
    violation: `/items/0/contactType: expected one of ${contactTypes.join(", ")}, got a string`,
  },
  {
    name: "a number beyond its bounds",
    operation: "getStore",
    change: (body: Row) => ({ ...body, openingTimes: [{ weekday: 7, from: "8", to: "9" }] }),
    violation: "/openingTimes/0/weekday: expected at most 6, got an integer",
  },
  {
    name: "a time that is not HH:MM",
    operation: "getExpectations",
    change: (body: Page) => ({ ...body, items: first(body.items, { protocolTime: "8:00" }) }),
    violation:
      "/items/0/protocolTime: expected a string that matches /^([01]\\d|2[0-3]):[0-5]\\d$/, got a string",
  },
  {
    name: "an invalid date-time",
    operation: "getContacts",
    change: (body: Page) => ({ ...body, items: first(body.items, { createdAt: "yesterday" }) }),
    violation: "/items/0/createdAt: expected an ISO 8601 date-time, got a string",
  },
  {
    name: "an array in place of the page",
    operation: "listStores",
    change: (body: Page) => body.items,
    violation: "/: expected an object, got an array",
  },
  {
    name: "a cursor that is a number",
    operation: "listProtocols",
    change: (body: Page) => ({ ...body, nextCursor: 5 }),
    violation: "/nextCursor: expected a string, got an integer",
  },
  {
    name: "more rows than limit",
    operation: "listStores",
    requested: { query: { limit: 2 } },
    change: (body: Page) => ({ ...body, items: [...body.items, ...body.items] }),
    violation: "/items: expected at most as many elements as limit, got more",
  },
  {
    name: "more rows than the default limit",
    operation: "listVehicleFields",
    change: (body: Page) => ({ ...body, data: Array.from({ length: 51 }, () => body.data[0]) }),
    violation: "/data: expected at most as many elements as limit, got more",
  },
  {
    name: "a photo list that is an array",
    operation: "listPhotos",
    change: () => [],
    violation: "/: expected an object, got an array",
  },
  {
    name: "a protocol whose images are not an array",
    operation: "getProtocol",
    change: (body: Row) => ({ ...body, images: {} }),
    violation: "/images: expected an array, got an object",
  },
  {
    name: "201 in place of 200",
    operation: "putStore",
    response: { status: 201 },
    violation: "status: expected one of 200, 400, 401, 503, got 201",
  },
  {
    name: "404 of an operation without it",
    operation: "listStores",
    response: { status: 404 },
    violation: "status: expected one of 200, 400, 401, 503, got 404",
  },
  {
    name: "204 of a read",
    operation: "getFillRates",
    response: { status: 204, body: "" },
    violation: "status: expected one of 200, 400, 401, 503, got 204",
  },
  {
    name: "a redirect",
    operation: "getStore",
    response: { status: 302, body: "", headers: { location: "/login" } },
    violation: "status: expected one of 200, 401, 404, 503, got 302",
  },
  {
    name: "JSON that is cut off",
    operation: "getStore",
    response: { status: 200, body: '{"storeId":', headers: JSON_HEADERS },
    violation: "/: expected a JSON body, got a string that is not JSON",
  },
  {
    name: "no body",
    operation: "getStore",
    response: { status: 200, body: "", headers: JSON_HEADERS },
    violation: "/: expected a JSON body, got nothing",
  },
  {
    name: "JSON as text/plain",
    operation: "getStore",
    change: (body: Row) => body,
    response: { headers: { "content-type": "text/plain" } },
    violation: "header content-type: expected application/json, got text/plain",
  },
  {
    name: "an error without its message",
    operation: "getStore",
    response: { status: 404, body: { error: { code: "not_found" } } },
    violation: "/error/message: expected a string, got nothing",
  },
  {
    name: "an error with the code of another status",
    operation: "getStore",
    response: { status: 404, body: { error: { code: "unauthorized", message: "no" } } },
    violation: "/error/code: expected the code not_found, got that of another status",
  },
  {
    name: "an error with an unknown code",
    operation: "getStore",
    response: { status: 404, body: { error: { code: "gone", message: "no" } } },
    violation:
      "/error/code: expected one of not_configured, unauthorized, validation_failed, not_found, got a string",
  },
  {
    name: "another version in meta",
    operation: "listVehicleFields",
    change: (body: Page) => ({ ...body, meta: { ...body.meta, version: "v2" } }),
    violation: '/meta/version: expected "v1", got a string',
  },
  {
    name: "a documented list without pagination",
    operation: "listInspectionTemplates",
    change: ({ meta, ...body }: Page) => ({ ...body, meta: { version: meta.version } }),
    violation: "/meta/pagination: expected an object, got nothing",
  },
  {
    name: "a pagination flag that is a string",
    operation: "listInspectionTemplates",
    change: (body: Page) => numbered(body, { hasNextPage: "false" }),
    violation: "/meta/pagination/hasNextPage: expected a boolean, got a string",
  },
  {
    name: "a template item with an unknown input type",
    operation: "listInspectionTemplates",
    change: (body: Page) => ({
      ...body,
      data: first(body.data, { items: first(body.data[0]?.["items"] as Row[], { inputType: "COLOUR" }) }),
    }),
    violation:
      "/data/0/items/0/inputType: expected one of TEXT, NUMBER, BOOLEAN, PHOTO, DATE, SIGNATURE, SELECT, got a string",
  },
  {
    name: "an inspection whose notes are missing",
    operation: "getInspection",
    change: ({ data: { notes: _, ...data }, ...body }: { data: Row }) => ({ ...body, data }),
    violation: "/data/notes: expected a string, got nothing",
  },
  {
    name: "a response without its envelope",
    operation: "getDamage",
    change: ({ data }: { data: Row }) => ({ ...data, meta: { version: "v1" } }),
    violation: "/data: expected an object, got nothing",
  },
  {
    name: "an unused status",
    operation: "getDamage",
    response: { status: 409 },
    violation: "status: expected one of 200, 400, 401, 403, 404, 500, got 409",
  },
  {
    name: "an error object in place of the errors",
    operation: "getDamage",
    response: { status: 404, body: { error: { code: "NOT_FOUND", message: "no" } }, headers: JSON_HEADERS },
    violation: "/errors: expected an array, got nothing",
  },
  {
    name: "a 401 or 403 with another code",
    operation: "getDamage",
    response: { status: 403, body: { errors: [{ code: "NO", message: "no" }] }, headers: JSON_HEADERS },
    violation: "/errors: expected the code FORBIDDEN, got none",
  },
  {
    name: "another store",
    operation: "getStore",
    change: (body: Row) => ({ ...body, externalId: "S-9" }),
    violation: "/externalId: expected that of the request, got another one",
  },
  {
    name: "the protocols of another store",
    operation: "listProtocols",
    change: (body: Page) => ({ ...body, externalId: "S-9" }),
    violation: "/externalId: expected that of the request, got another one",
  },
  {
    name: "another damage",
    operation: "getDamage",
    change: ({ data, ...body }: { data: Row }) => ({ ...body, data: { ...data, id: "d-9" } }),
    violation: "/data/id: expected that of the request, got another one",
  },
  {
    name: "the vehicles of another field",
    operation: "listVehicleFieldVehicles",
    change: ({ meta, ...body }: Page) => ({
      ...body,
      meta: { ...meta, field: { ...meta.field, id: "f-9" } },
    }),
    violation: "/meta/field/id: expected that of the request, got another one",
  },
  {
    name: "another filter in meta",
    operation: "listVehicleFields",
    change: ({ meta, ...body }: Page) => ({ ...body, meta: { ...meta, filters: { search: "brakes" } } }),
    violation: "/meta/filters/search: expected that of the request, got another one",
  },
  {
    name: "a row that the filter leaves out",
    operation: "listInspectionTemplates",
    requested: { query: { isActive: true } },
    change: (body: Page) => ({ ...body, data: first(body.data, { isActive: false }) }),
    violation: "/data/0/isActive: expected that of the request, got another one",
  },
  {
    name: "another page",
    operation: "listVehicleFields",
    requested: { query: { page: 2, limit: 1 } },
    change: (body: Page) => numbered(body, { currentPage: 1, hasPreviousPage: false }),
    violation: "/meta/pagination/currentPage: expected that of the request, got another one",
  },
  {
    name: "a next page after the last one",
    operation: "listVehicleFields",
    change: (body: Page) => numbered(body, { hasNextPage: true }),
    violation:
      "/meta/pagination/hasNextPage: expected false on the last page, otherwise true, got the opposite",
  },
  {
    name: "a page before the first one",
    operation: "listVehicleFields",
    change: (body: Page) => numbered(body, { hasPreviousPage: true }),
    violation:
      "/meta/pagination/hasPreviousPage: expected false on the first page, otherwise true, got the opposite",
  },
  {
    name: "options of an item that has no choices",
    operation: "listInspectionTemplates",
    change: (body: Page) => {
      const [item] = (body.data[0]?.["items"] ?? []) as Row[];
      const items = [{ ...item, inputType: "TEXT", options: ["a"] }];
      return { ...body, data: first(body.data, { items, itemCount: 1 }) };
    },
    violation: "/data/0/items/0/options: expected an empty array, got an array",
  },
  {
    name: "another number of items than a template has",
    operation: "listInspectionTemplates",
    change: (body: Page) => ({ ...body, data: first(body.data, { itemCount: 99 }) }),
    violation: "/data/0/itemCount: expected the number of items, got another one",
  },
];

/** A reference server behind a proxy. */
async function behindProxy() {
  const ref = createReferenceServer({ store: { stores: 4 }, fleet: { vehicles: 4 } });
  const served = await serve(ref);
  onTestFinished(() => served.close());
  const { storeUrl, fleetUrl, sandboxUrl } = served;
  const { proxy, origin } = await proxyFor({ storeUrl, fleetUrl, sandboxUrl });
  const send = async (id: OperationId, requested?: RequestCase) => {
    const operation = operationNamed(id);
    const given = requested ?? (sampleOf(ref, operation) as RequestCase); // samples are typed by the documents
    const mount = proxy.services.find(({ name }) => name === operation.api)?.mount ?? "";
    const text = bodyText(given);
    const secret = operation.api === "store" ? ref.token : ref.keys[0]?.key;
    const response = await fetch(origin + mount + targetOf(operation, given), {
      method: operation.method,
      redirect: "manual",
      headers: {
        authorization: `Bearer ${secret}`,
        ...(text !== undefined && { "content-type": "application/json" }),
      },
      ...(text !== undefined && { body: text }),
    });
    return response.text();
  };
  return { ref, proxy, send, origin };
}

describe("the proxy reports", () => {
  it.each(broken)("$name", async ({ operation, requested, change, response = {}, violation }) => {
    const { ref, proxy, send } = await behindProxy();
    const before = await send(operation, requested);
    const body = change === undefined ? {} : { status: 200, body: change(JSON.parse(before) as never) };
    ref.on(operation).once({ ...body, ...response });
    await send(operation, requested);
    const { violations, open } = await proxy.close();
    const line = `response ${operation} ${response.status ?? 200} ${violation}`;
    expect(violations.map(({ finding }) => sentence(finding))).toEqual([line]);
    expect(open).toEqual([]);
  });

  it("HTML with status 200 for every operation", async () => {
    const { ref, proxy, send } = await behindProxy();
    for (const { id } of operations) {
      ref.on(id).once({ status: 200, body: "<html></html>", headers: { "content-type": "text/html" } });
      await send(id);
    }
    const { violations } = await proxy.close();
    for (const { id } of operations) {
      const own = violations.filter(({ finding }) => finding.operation === id);
      expect(own.map(({ finding }) => `${finding.place}: ${finding.actual}`)).toEqual([
        "header content-type: text/html",
        "/: a string that is not JSON",
      ]);
    }
  });

  it("no violation in the reference server's responses to every sample", async () => {
    const { proxy, send } = await behindProxy();
    for (const { id } of operations) await send(id);
    const { violations, exchanges } = await proxy.close();
    expect([exchanges, violations.map(({ finding }) => sentence(finding))]).toEqual([operations.length, []]);
  });

  it("one violation if it is repeated in rows and responses, with the number of responses", async () => {
    const { ref, proxy, send } = await behindProxy();
    const page = JSON.parse(await send("listStores")) as Page;
    ref.on("listStores").always({ body: { ...page, items: page.items.map((row) => ({ ...row, name: 1 })) } });
    for (let time = 0; time < 3; time += 1) await send("listStores");
    const { violations } = await proxy.close();
    expect(violations.map(({ finding, count }) => [finding.place, count])).toEqual([["/items/0/name", 3]]);
  });

  it("the same ID for the same violation in another run", async () => {
    const ids = new Set<string | undefined>();
    for (const position of [0, 1]) {
      const { ref, proxy, send } = await behindProxy();
      const page = JSON.parse(await send("listStores")) as Page;
      const items = page.items.map((row, at) => (at === position ? { ...row, name: 1 } : row));
      ref.on("listStores").once({ body: { ...page, items } });
      await send("listStores");
      ids.add((await proxy.close()).violations[0]?.finding.id);
    }
    expect(ids.size).toBe(1);
  });
});

describe("the proxy", () => {
  it.each([
    ["a status beyond the four of the store API", "getStore", { status: 418 }, "errors.other-statuses"],
    ["too many requests", "getStore", { status: 429 }, "limits.store-rate"],
    ["HTML with 502", "getStore", { status: 502, body: "<html>" }, "errors.other-statuses"],
    ["too many requests of the fleet API", "listVehicles", { status: 429 }, "limits.fleet-rate"],
    [
      "a list without its envelope",
      "listVehicles",
      { status: 200, body: [] },
      "fleet.undocumented-responses",
    ],
  ] as const)(
    "reports what a gap leaves open as a note, not as a violation: %s",
    async (_, operation, response, gap) => {
      const { ref, proxy, send } = await behindProxy();
      const requested = operation === "getStore" ? { path: store } : {};
      ref.on(operation).once(response);
      await send(operation, requested);
      const { violations, open } = await proxy.close();
      expect([violations, open.map(({ finding }) => finding.gap)]).toEqual([[], [gap]]);
    },
  );

  it("reports no note on the body of a 400 or 500 of the fleet API", async () => {
    const { ref, proxy, send } = await behindProxy();
    for (const status of [400, 500]) {
      ref.on("listVehicles").once({ status, body: "<html>", headers: { "content-type": "text/html" } });
      await send("listVehicles");
    }
    const { violations, open } = await proxy.close();
    expect([violations, open]).toEqual([[], []]);
  });
});

describe("the proxy, when it checks requests,", () => {
  it("does not report a CORS preflight as a violation", async () => {
    const { proxy, origin } = await behindProxy();
    const headers = { "access-control-request-method": "PUT", origin: "http://localhost:3000" };
    await (await fetch(`${origin}/v1/stores/S-1`, { method: "OPTIONS", headers })).text();
    const { violations, exchanges } = await proxy.close();
    expect([exchanges, violations]).toEqual([1, []]);
  });

  it.each([
    ["with a limit out of bounds", "/v1/stores?limit=0", "listStores query limit: expected at least 1"],
    [
      "without a required parameter",
      "/v1/stores/S-1/photos?from=2025-01-01T00:00:00Z",
      "listPhotos query to:",
    ],
    [
      "with a value outside an enumeration",
      "/v1/stores/S-1/protocols?from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&status=open",
      "listProtocols query status: expected one of",
    ],
    [
      "with a path ID that is not a UUID",
      "/v1/stores/S-1/expositions/7/fill-rate?from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z",
      "getExpositionFillRate path expositionId: expected a UUID",
    ],
    [
      "for a path that does not exist",
      "/v1/shops/17",
      "- path: expected a path of the contract, not GET /v1/shops/*",
    ],
  ])("reports a request %s as a violation by the program", async (_, path, text) => {
    const { ref, proxy, origin } = await behindProxy();
    await fetch(origin + path, { headers: { authorization: `Bearer ${ref.token}` } }).then((one) =>
      one.text(),
    );
    const { violations } = await proxy.close();
    const lines = violations.map(({ finding }) => sentence(finding).replace("  ", " "));
    expect(lines).toEqual([expect.stringContaining(`request ${text}`)]);
  });
});
