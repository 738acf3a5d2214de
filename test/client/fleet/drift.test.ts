import { describe, expect, it } from "vitest";
import { PaginationError } from "../../../src/client/fleet/index.ts";
import { type Responder, json } from "../core/stub-fetch.ts";
import { listServer, requestedPage, pageOf, rejection, type Row, rows, stubClient } from "./stub-client.ts";
import type { DriftEvent } from "../../../src/client/core/options/drift.ts";

/** A list of two a page before which a row comes in after the first page. */
const shifting: Responder = (sent) => {
  const page = requestedPage(sent);
  const all: Row[] = page === 1 ? rows(6) : [{ id: "new" }, ...rows(6)];
  return json(pageOf(all, page, 2));
};

const kinds = (client: ReturnType<typeof stubClient>["client"]) => async (concurrency: number) => {
  const found: unknown[] = [];
  for await (const page of client.vehicles.list().pages({ concurrency })) found.push(page.drift);
  return found;
};

describe("a list", () => {
  const expected = [
    [],
    [
      { kind: "totalCount", page: 2, before: 6, after: 7 },
      { kind: "totalPages", page: 2, before: 3, after: 4 },
      { kind: "repeated-id", page: 2, id: "v-2" },
    ],
    [],
    [],
  ];

  it.each([1, 4])("that changes during a walk has the page's `drift`, %i at once", async (concurrency) => {
    const { client } = stubClient(shifting);
    expect(await kinds(client)(concurrency)).toEqual(expected);
  });

  it("that changes during a walk calls the hook `onDrift` with the operation", async () => {
    const events: DriftEvent[] = [];
    const { client } = stubClient(shifting, { hooks: { onDrift: (event) => events.push(event) } });
    await client.vehicles.list().toArray();
    expect(events).toEqual(expected[1]?.map((drift) => ({ operation: "listVehicles", drift })));
  });

  it('that changes ends the walk with a PaginationError under onDrift: "throw"', async () => {
    const events: DriftEvent[] = [];
    const { client, sent } = stubClient(shifting, { hooks: { onDrift: (event) => events.push(event) } });
    const error = await rejection(client.vehicles.list({ onDrift: "throw" }).toArray());
    expect(error).toBeInstanceOf(PaginationError);
    expect(error).toMatchObject({
      lastPage: 1,
      message: "GET /vehicles: the list changed while it was walked: totalCount was 6 and is 7 on page 2",
    });
    expect(sent).toHaveLength(2);
    expect(events).toEqual([]);
  });

  it("without changes has no drift", async () => {
    const { client } = stubClient(listServer(rows(6), 2));
    expect(await client.vehicles.list({ onDrift: "throw" }).toArray()).toEqual(rows(6));
  });

  it("of a field's vehicles detects drift by the vehicles' IDs", async () => {
    const entries = rows(5).map(({ id }) => ({ vehicleId: id }));
    const { client } = stubClient((sent) => {
      const { meta } = pageOf(entries, requestedPage(sent), 2);
      const from = requestedPage(sent) === 1 ? 0 : 1;
      return json({
        data: entries.slice(from, from + 2),
        meta: {
          ...meta,
          pagination: {
            ...(meta as { pagination: object }).pagination,
            totalPages: 2,
            hasNextPage: requestedPage(sent) < 2,
          },
        },
      });
    });
    const found: unknown[] = [];
    for await (const { drift } of client.vehicleFields.listVehicles("f-1").pages()) found.push(...drift);
    expect(found).toEqual([
      { kind: "repeated-id", page: 2, id: "v-2" },
      { kind: "missing", page: 2, count: 3, expected: 5 },
    ]);
  });

  it.each([0, 1, 3])("of pages of two is not whole with a `totalCount` of %i", async (totalCount) => {
    const { client } = stubClient((sent) => {
      const page = requestedPage(sent);
      const { meta } = pageOf(rows(totalCount), page, 2); // there are more items and pages than it says
      return json({ data: pageOf(rows(5), page, 2).data, meta });
    });
    await expect(client.vehicles.list().toArray()).rejects.toThrow(PaginationError);
  });

  it("reports no drift for items without an ID", async () => {
    const items = ["a", null, { name: "b" }, { id: {} }, 5, { id: { x: 1 } }];
    const { client } = stubClient(listServer(items, 2));
    expect(await client.vehicles.list({ onDrift: "throw" }).take(9)).toEqual(items);
  });

  it("is walked to its end if the hook throws, which is reported", async () => {
    const failure = new Error("hook");
    const reported: unknown[] = [];
    const { client } = stubClient(shifting, {
      hooks: {
        onDrift: () => {
          throw failure;
        },
        onHookError: (error, hook) => void reported.push([error, hook]),
      },
    });
    const items = await client.vehicles.list().toArray();
    expect(items.length).toBeGreaterThan(0);
    expect(reported).toContainEqual([failure, "onDrift"]);
  });
});
