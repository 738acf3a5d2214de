import { describe, expect, it } from "vitest";
import { type Responder, json, type SentRequest } from "../core/stub-fetch.ts";
import { requestedPage, rejection, stubClient } from "./stub-client.ts";

/** Responds with any number of pages; the test chooses the items and totals of each. */
function endless(
  items: (page: number) => unknown[],
  totals: (page: number) => object = () => ({}),
): Responder {
  return (sent: SentRequest) => {
    const currentPage = requestedPage(sent);
    const all = { totalPages: 5000, totalCount: 5000, hasNextPage: true };
    return json({
      data: items(currentPage),
      meta: { pagination: { ...all, currentPage, ...totals(currentPage) } },
    });
  };
}

async function reasonOf(response: Responder, query: object = {}): Promise<unknown> {
  const { client } = stubClient(response);
  const walk = async (): Promise<void> => {
    for await (const _ of client.vehicles.list(query).pages());
  };
  return rejection(walk());
}

describe("a PaginationError of a numbered list says why", () => {
  const rows = (page: number): unknown[] => [{ id: `v-${page}` }];

  it.each<[string, Responder, number | undefined]>([
    ["page 1 was requested and page 3 returned", endless(rows, () => ({ currentPage: 3 })), undefined],
    ["page 2 has the items of the previous page: the walk might not end", endless(() => rows(1)), 1],
    [
      "1000 requests in a row returned no new item (the limit is `maxIdleRequests`)",
      endless((page) => (page === 1 ? rows(1) : [])),
      1000,
    ],
  ])("%s", async (reason, response, lastPage) => {
    expect(await reasonOf(response)).toMatchObject({
      name: "PaginationError",
      reason,
      message: `GET /vehicles: ${reason}`,
      lastPage,
      lastCursor: undefined,
    });
  });

  const changed = "the list changed while it was walked: ";
  it.each<[string, Responder]>([
    ["totalCount was 5000 and is 4999 on page 2", endless(rows, (page) => ({ totalCount: 5001 - page }))],
    ["totalPages was 5000 and is 4999 on page 2", endless(rows, (page) => ({ totalPages: 5001 - page }))],
    ["id v-1 was returned again on page 2", endless((page) => (page === 1 ? rows(1) : rows(page - 1)))],
  ])('under onDrift: "throw": %s', async (change, response) => {
    expect(await reasonOf(response, { onDrift: "throw" })).toMatchObject({
      reason: changed + change,
      lastPage: 1,
    });
  });
});

it("empty pages between others are not consecutive", async () => {
  const { client } = stubClient(
    endless(
      (page) => (page % 900 === 0 ? [{ id: page }] : []),
      (page) => ({ totalPages: 2000, totalCount: 2, hasNextPage: page < 2000 }),
    ),
  );
  expect(await client.vehicles.list().take(9)).toEqual([{ id: 900 }, { id: 1800 }]);
});
