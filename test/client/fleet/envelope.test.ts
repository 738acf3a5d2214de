import { describe, expect, it } from "vitest";
import { UnexpectedResponseError } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { respondWith, socketServer } from "../core/socket-server.ts";
import { anyData, anyPage, key, meta, rejection, stubClient, uuid } from "./stub-client.ts";
import { FleetClient } from "../../../src/client/fleet/index.ts";

const inspection = {
  id: uuid,
  templateId: "t-1",
  template: {},
  status: "A_STATUS_NOBODY_KNOWS",
  performedAt: "2026-01-01T00:00:00Z",
  performedBy: {},
  vehicles: [],
  location: {},
  notes: "",
  responses: [],
  damages: [],
};

describe("a single response", () => {
  it.each([
    ["has no data", { meta }],
    ["has null for data", { data: null, meta }],
    ["has a list for data", { data: [], meta }],
    ["has text for data", { data: "x", meta }],
    ["is empty", {}],
    ["is an array", [1]],
    ["is null", null],
  ])("that %s is an UnexpectedResponseError", async (_, body) => {
    const { client } = stubClient(() => json(body));
    const error = await rejection(client.vehicles.get("v-1"));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, body: JSON.stringify(body) });
  });

  it.each(["", " \n"])("that is %j is an UnexpectedResponseError, except to a DELETE", async (text) => {
    const { client } = stubClient(() => new Response(text, { status: 201 }));
    expect(await rejection(client.vehicles.create({}))).toBeInstanceOf(UnexpectedResponseError);
    expect(await client.vehicles.delete("v-1")).toBeNull();
  });

  it.each([
    ["<html><body>maintenance</body></html>", "HTML"],
    ['{"data":{"id":', "cut short"],
  ])("that is %j says what it looks like", async (text, words) => {
    const { client } = stubClient(() => new Response(text));
    expect(String(await rejection(client.vehicles.get("v-1")))).toContain(words);
    expect(String(await rejection(client.vehicles.list()))).toContain(words);
  });

  it("keeps properties that are unknown", async () => {
    const data = { id: "v-1", unheardOf: { of: [1] } };
    const { client } = stubClient(() => json({ data, meta: { ...meta, more: true } }));
    const response = await client.vehicles.get("v-1").withResponse();
    expect(response.data).toEqual(data);
    expect(response.meta).toEqual({ ...meta, more: true });
  });

  it("may lack its meta, which the client does not need", async () => {
    const { client } = stubClient(() => json({ data: { id: "v-1" } }));
    expect(await client.vehicles.get("v-1").withResponse()).not.toHaveProperty("meta");
  });
});

it("`apiVersion` is sent as X-Service-API-Version, unless the call has that header (fleet 5)", async () => {
  const { client, sent } = stubClient(() => json(anyData), { apiVersion: "v1", headers: { "X-A": "1" } });
  await client.vehicles.get("v-1");
  await client.vehicles.get("v-1", { headers: { "x-service-api-version": "v2" } });
  const shared = { "x-a": "1" };
  expect(sent.map(({ headers }) => headers)).toMatchObject([
    { ...shared, "x-service-api-version": "v1" },
    { ...shared, "x-service-api-version": "v2" },
  ]);
});

describe("a DELETE (gap fleet.delete-return)", () => {
  const remove = (client: FleetClient): PromiseLike<unknown>[] => [
    client.vehicles.delete("x"),
    client.vehicleGroups.delete("x"),
    client.inspections.delete(uuid),
    client.inspectionTemplates.delete("x"),
    client.damages.delete("x"),
    client.driverAssignments.release("x"),
  ];

  it("resolves with null if the response is empty", async () => {
    const { client } = stubClient(() => new Response(null, { status: 204 }));
    expect(await Promise.all(remove(client))).toEqual(Array.from({ length: 6 }, () => null));
  });

  it.each([{ id: "x" }, null, true, "gone", []])("resolves with the data %j", async (data) => {
    const { client } = stubClient(() => json({ data, meta }));
    expect(await Promise.all(remove(client))).toEqual(Array.from({ length: 6 }, () => data));
  });

  it("is an UnexpectedResponseError if the response is not an envelope", async () => {
    const { client } = stubClient(() => json({ deleted: true }));
    expect(await rejection(client.vehicles.delete("x"))).toBeInstanceOf(UnexpectedResponseError);
  });

  it.each([404, 410])("says after a lost response and a %i that it may be deleted", async (status) => {
    const server = await socketServer((request, response, index) => {
      if (index === 0) request.socket.destroy();
      else
        respondWith(status, JSON.stringify({ errors: [{ code: "NOT_FOUND", message: "no vehicle" }] }))(
          request,
          response,
          index,
        );
    });
    const client = new FleetClient({
      baseUrl: `${server.url}/api/third-party/v1`,
      key,
      retry: { maxDelay: 1 },
    });
    const error = await rejection(client.vehicles.delete("x"));
    expect(error).toMatchObject({ code: "NOT_FOUND", attempts: 2 });
    expect(String(error)).toContain("may have deleted it");
  });
});

describe('validate: "full"', () => {
  it("checks responses against the contract's schemas and names the paths", async () => {
    const { client } = stubClient(() => json({ data: { ...inspection, templateId: 5 }, meta }), {
      validate: "full",
    });
    const error = await rejection(client.inspections.get(uuid));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ issues: [{ path: "data.templateId" }] });
  });

  it("checks the pages of a list", async () => {
    const { client } = stubClient(() => json({ ...anyPage, data: [{ id: 5 }] }), { validate: "full" });
    expect(await rejection(client.inspectionTemplates.list())).toBeInstanceOf(UnexpectedResponseError);
    expect(await client.vehicles.list()).toMatchObject({ items: [{ id: 5 }] });
  });

  it("asks for the version that the contract promises", async () => {
    const { client } = stubClient(() => json({ ...anyData, meta: { version: "v2" } }), { validate: "full" });
    expect(await rejection(client.vehicles.get("x"))).toMatchObject({ issues: [{ path: "meta.version" }] });
  });

  it("validate: full does not check an empty response of a DELETE (gap fleet.delete-return)", async () => {
    const { client } = stubClient(() => new Response(null, { status: 204 }), { validate: "full" });
    expect(await client.damages.delete(uuid)).toBeNull();
    expect(await client.vehicles.delete("x")).toBeNull();
  });

  it("is off by default", async () => {
    const { client } = stubClient(() => json({ data: { odd: true }, meta }));
    expect(await client.inspections.get(uuid)).toEqual({ odd: true });
  });
});
