import { describe, expect, it } from "vitest";
import type { FleetClient } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { anyPage, rejection, stubClient } from "./stub-client.ts";

describe("a list", () => {
  const lists = (client: FleetClient): [string, PromiseLike<unknown>][] => [
    ["/vehicles", client.vehicles.list()],
    ["/vehicle-groups", client.vehicleGroups.list()],
    ["/vehicle-fields", client.vehicleFields.list()],
    ["/vehicle-fields/{id}/vehicles", client.vehicleFields.listVehicles("f-1")],
    ["/inspections", client.inspections.list()],
    ["/inspection-templates", client.inspectionTemplates.list()],
    ["/damages", client.damages.list()],
    ["/driver-assignments", client.driverAssignments.list()],
  ];

  it("names its route in what keeps it from being walked", async () => {
    const other = { ...anyPage.meta, pagination: { ...anyPage.meta.pagination, currentPage: 7 } };
    const { client } = stubClient(() => json({ ...anyPage, meta: other }));
    for (const [route, list] of lists(client)) {
      expect(await rejection(list)).toMatchObject({
        message: `GET ${route}: page 1 was requested and page 7 returned`,
      });
    }
  });

  const without = "200 without a `meta.pagination` of currentPage, totalPages, totalCount and hasNextPage";

  it("without its pagination names the reading, unless the contract shows the list", async () => {
    const { client } = stubClient(() => json({ data: [], meta: {} }));
    const advice =
      ' (if the list comes whole, set the client option readings: { "lists.undocumented": "whole" })';
    const documented = /fields|templates/;
    for (const [route, list] of lists(client)) {
      expect(await rejection(list)).toMatchObject({
        name: "UnexpectedResponseError",
        message: `GET ${route}: ${without}${documented.test(route) ? "" : advice}`,
        status: 200,
        body: '{"data":[],"meta":{}}',
      });
    }
  });

  it("that the contract shows never comes whole", async () => {
    const { client } = stubClient(() => json({ data: [], meta: {} }), {
      readings: { "lists.undocumented": "whole" },
    });
    for (const [route, list] of lists(client)) {
      const response = await Promise.resolve(list).catch((error: unknown) => error);
      const isDocumented = /fields|templates/.test(route);
      expect(response).toMatchObject(isDocumented ? { message: `GET ${route}: ${without}` } : { items: [] });
    }
  });

  it("without its array is an UnexpectedResponseError that says so", async () => {
    const { client } = stubClient(() => json({ data: {}, meta: anyPage.meta }));
    expect(await rejection(client.vehicles.list())).toMatchObject({
      message: "GET /vehicles: 200 without an array `data`",
    });
  });
});

it("a single response without its data is an UnexpectedResponseError that says so", async () => {
  const { client } = stubClient(() => json({}));
  expect(await rejection(client.vehicles.get("v-1"))).toMatchObject({
    message: "GET /vehicles/{id}: 200 without the `data` of an envelope { data, meta }",
  });
});

it("an operation that are unknown has no scopes", () => {
  const { client } = stubClient();
  expect(() => client.scopes.for("getVan" as never)).toThrow('scopes: there is no operation "getVan"');
});
