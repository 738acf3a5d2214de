import { describe, expect, it } from "vitest";
import { type Responder, json } from "../core/stub-fetch.ts";
import { range, stubClient } from "./stub-client.ts";

async function failureOf(walk: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of walk);
  } catch (error) {
    return error;
  }
  throw new Error("the walk came to its end");
}

describe("a PaginationError of the protocol list says why", () => {
  const label = "GET /v1/stores/{externalId}/protocols";
  const more: Responder = (_, index) => json({ items: [{ id: "P" }], nextCursor: `c${index}` });

  it("where one page was wanted", async () => {
    const { client } = stubClient(more, { strategies: { "protocols.next-page": "single" } });
    expect(await failureOf(client.protocols.list("S-1", range))).toMatchObject({
      message: `${label}: there are more protocols than one page holds (strategy "single")`,
    });
  });

  it("where the cursor is ignored", async () => {
    const { client } = stubClient(more, { strategies: { "protocols.next-page": "cursor" } });
    expect(await failureOf(client.protocols.list("S-1", range))).toMatchObject({
      message: `${label}: the server returned the first page again: it seems to ignore the cursor`,
    });
  });

  it("where the cursor is ignored after the first page was put aside", async () => {
    const { client } = stubClient(more, { strategies: { "protocols.next-page": "cursor" } });
    const { resume } = await client.protocols.list("S-1", range);
    expect(await failureOf(client.protocols.list("S-1", { ...range, resume: resume ?? "" }))).toMatchObject({
      message: `${label}: the server returned the first page again: it seems to ignore the cursor`,
    });
  });

  it("where one instant holds more than a page", async () => {
    const { client } = stubClient(more);
    const instant = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-01T00:00:00.001Z" };
    expect(await failureOf(client.protocols.list("S-1", instant))).toMatchObject({
      message:
        `${label}: more items at one instant (2026-01-01T00:00:00.000Z to 2026-01-01T00:00:00.001Z) ` +
        "than a page holds: time ranges cannot separate them",
    });
  });

  it("where a page has no list", async () => {
    const { client } = stubClient(() => json({ protocols: [] }));
    await expect(client.protocols.list("S-1", range)).rejects.toThrow(
      `${label}: 200 without an array \`items\` and a \`nextCursor\` that is a string or null; the response has \`protocols\``,
    );
  });
});

describe("a resume token of the protocol list", () => {
  const second = { at: "second", cursor: "c", first: [1], hasIds: true };
  const noon = Date.parse("2026-01-01T12:00:00Z");
  const window = {
    at: "window",
    starts: [noon],
    delivered: [1],
    expected: [2],
    recurring: [3],
    hasIds: true,
  };

  /** A token of the list with another position. */
  async function tokenAt(position: unknown): Promise<string> {
    const { client } = stubClient(() => json({ items: [{ id: "P" }], nextCursor: "c" }));
    const { resume } = await client.protocols.list("S-1", range);
    return JSON.stringify({ ...(JSON.parse(String(resume)) as object), position });
  }

  it.each([
    undefined,
    null,
    [],
    { at: "start" },
    { at: "other", cursor: "c" },
    { cursor: "c" },
    { ...second, at: "other" },
    { ...window, at: "other" },
    { at: "cursor" },
    { at: "cursor", cursor: 5 },
    { ...second, cursor: 5 },
    { ...second, first: undefined },
    { ...second, first: ["1"] },
    { ...second, first: [1, null] },
    { ...second, hasIds: undefined },
    { ...window, starts: [] },
    { ...window, starts: 5 },
    { ...window, starts: ["a"] },
    { ...window, starts: [null] },
    { ...window, starts: [noon, noon] },
    { ...window, starts: [noon, noon - 1] },
    { ...window, starts: [Date.parse(range.from)] },
    { ...window, starts: [Date.parse(range.from) - 1, noon] },
    { ...window, starts: [Date.parse(range.to) - 1] },
    { ...window, starts: [noon, Date.parse(range.to) + 5] },
    { ...window, starts: Array.from({ length: 101 }, (_, at) => noon + at) },
    { ...window, delivered: ["1"] },
    { ...window, expected: undefined },
    { ...window, recurring: ["2"] },
    { ...window, hasIds: 1 },
  ])("is rejected where its position is %j", async (position) => {
    const { client, sent } = stubClient();
    const list = client.protocols.list("S-1", { ...range, resume: await tokenAt(position) });
    await expect(list).rejects.toMatchObject({
      name: "InvalidRequestError",
      issues: [{ path: "resume", message: "must be the `resume` of a page of this list" }],
    });
    expect(sent).toEqual([]);
  });

  it("leads to the windows that it names, up to the end of the list's own range", async () => {
    const { client, sent } = stubClient((_, index) => json({ items: [{ id: index }], nextCursor: null }), {
      readings: { "time-range.precision": "millisecond" },
    });
    const starts = [noon, noon + 5];
    const resume = await tokenAt({ ...window, starts, delivered: [], expected: [] });
    await client.protocols.list("S-1", { ...range, resume }).take(9);
    expect(sent.map(({ query }) => query)).toEqual([
      { from: "2026-01-01T12:00:00.000Z", to: "2026-01-01T12:00:00.006Z" },
      { from: "2026-01-01T12:00:00.005Z", to: "2026-01-01T22:00:00Z" },
    ]);
  });
});
