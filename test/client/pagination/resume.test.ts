import { describe, expect, it } from "vitest";
import { InvalidRequestError, StoreClient } from "../../../src/index.ts";
import { instantAt, micros, type RangeModel, rangeServer } from "./range-model.ts";
import { storeServer } from "./store-model.ts";

const start = micros("2026-01-01T00:00:00Z");
const second = 1_000_000;
const model: RangeModel = {
  instants: Array.from({ length: 900 }, (_, index) => start + index * second),
  cursor: "ignored",
  order: "newest-first",
  ends: "exclusive",
  summary: (index) => ({ protocolId: `secret-data-${index}` }),
};
const range = {
  from: instantAt(start),
  to: instantAt(start + 900 * second),
  extra: { note: "secret-filter" },
};

async function tokensOf(url: Parameters<typeof rangeServer>[0], limit: number): Promise<string[]> {
  const client = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch: rangeServer(url) });
  const tokens: string[] = [];
  for await (const { resume } of client.protocols.list("S", { ...range, limit }).pages())
    if (resume !== null) tokens.push(resume);
  return tokens;
}

describe("a resume token", () => {
  it("stays small and contains no data, with windows and with a cursor", async () => {
    for (const cursor of ["ignored", "cursor"] as const) {
      const tokens = await tokensOf({ ...model, cursor }, 100);
      expect(tokens.length).toBeGreaterThan(7);
      for (const token of tokens) {
        expect(token.length).toBeLessThan(9000);
        expect(token).not.toMatch(/secret|2026-01/);
      }
    }
  });

  it("continues after a page of a server that ignores `limit` and returns 100 000 items", async () => {
    const pageOf = (page: number): unknown => ({
      items: Array.from({ length: 100_000 }, (_, at) => ({ externalId: `${page}-${at}` })),
      nextCursor: page === 1 ? "1-99999" : null,
    });
    const fetch = async (url: string): Promise<Response> =>
      Response.json(pageOf(new URL(url).searchParams.has("cursor") ? 2 : 1));
    const { stores } = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
    const { resume } = await stores.list();
    const { items } = await stores.list({ resume: resume ?? "" });
    expect(items[0]).toEqual({ externalId: "2-0" });
  });

  it.each([
    ["too long", `{"v":2,"list":{},"x":"${"a".repeat(17_000_000)}"}`],
    ["nested too deep", "[".repeat(500_000)],
    ["of an earlier version", '{"cursor":"S-1"}'],
    ["null", null],
    ["a number", 5],
  ])("that is %s is rejected before anything is sent", async (_, resume) => {
    const pages = storeServer({ externalIds: ["a"], cursorStart: "after", nullCursor: "null" });
    let requests = 0;
    const fetch = (url: string): Promise<Response> => {
      requests += 1;
      return pages(url);
    };
    const client = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
    await expect(client.stores.list({ resume: resume as never })).rejects.toBeInstanceOf(InvalidRequestError);
    expect(requests).toBe(0);
  });

  it("continues with the windows of a range before 1970", async () => {
    const shift = micros("1960-01-01T00:00:00Z") - start;
    const instants = model.instants.map((instant) => instant + shift);
    const fetch = rangeServer({ ...model, instants });
    const { protocols } = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
    const query = { from: instantAt(start + shift), to: instantAt(start + shift + 900 * second), limit: 100 };
    const ids: unknown[] = [];
    for (let resume: string | null | undefined; resume !== null; ) {
      const page = await protocols.list("S", { ...query, resume });
      ids.push(...page.items.map((item) => item["protocolId"]));
      resume = page.resume;
    }
    expect([ids.length, new Set(ids).size]).toEqual([899, 899]); // the ends are exclusive
  });

  it("with changed windows reads nothing outside the list's range", async () => {
    const [token = ""] = (await tokensOf(model, 100)).slice(2);
    const state = JSON.parse(token) as { position: { starts: number[] } };
    const client = new StoreClient({
      baseUrl: "https://store.example",
      token: "t",
      fetch: rangeServer(model),
    });
    for (const shift of [-900_000, 900_000]) {
      const starts = state.position.starts.map((at) => at + shift);
      const resume = JSON.stringify({ ...state, position: { ...state.position, starts } });
      await expect(client.protocols.list("S", { ...range, limit: 100, resume })).rejects.toMatchObject({
        issues: [{ path: "resume", message: "must be the `resume` of a page of this list" }],
      });
    }
  });
});
