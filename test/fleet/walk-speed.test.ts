import { describe, expect, it } from "vitest";
import { FleetClient } from "../../src/fleet/index.ts";
import { answerWith, socketServer } from "../core/socket-server.ts";
import { baseUrl, key, listServer, pageOf, rows } from "./stub-client.ts";
import { json, stubFetch } from "../core/stub-fetch.ts";

const pages = 100;
const all = rows(2 * pages);

async function walk(client: FleetClient, concurrency: number): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const page of client.vehicles.list().pages({ concurrency })) items.push(...page.items);
  return items;
}

/** Answers all requests that wait, one round after another; no clock is involved. */
function answerInRounds(): { client: FleetClient; rounds: () => number } {
  const { fetch } = stubFetch(listServer(all, 2));
  let waiting: (() => void)[] = [];
  let rounds = 0;
  const answerAll = (): void => {
    rounds += 1;
    const round = waiting;
    waiting = [];
    for (const answer of round) answer();
  };
  const client = new FleetClient({
    baseUrl,
    key,
    fetch: (url, init) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setTimeout(answerAll, 0);
        waiting.push(() => resolve(fetch(url, init)));
      }),
  });
  return { client, rounds: () => rounds };
}

describe("a walk over 100 pages", () => {
  it("takes 100 rounds one at a time, and at most 15 with 8 at once", async () => {
    const one = answerInRounds();
    expect(await walk(one.client, 1)).toEqual(all);
    expect(one.rounds()).toBe(pages);
    const eight = answerInRounds();
    expect(await walk(eight.client, 8)).toEqual(all);
    expect(eight.rounds()).toBeLessThanOrEqual(15);
  });

  // the server answers only when 8 requests wait, or when all that are left do
  it("has 8 requests at a time on real sockets", async () => {
    const waiting: (() => void)[] = [];
    let asked = 0;
    let most = 0;
    const server = await socketServer((request, response, index) => {
      const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
      asked += 1;
      waiting.push(() => answerWith(200, JSON.stringify(pageOf(all, page, 2)))(request, response, index));
      most = Math.max(most, waiting.length);
      if (asked > 1 && waiting.length < 8 && asked < pages) return;
      for (const answer of waiting.splice(0)) answer();
    });
    expect(await walk(new FleetClient({ baseUrl: server.url, key }), 8)).toEqual(all);
    expect([asked, most]).toEqual([pages, 8]);
  });

  it("sends no request after the consumer stopped", async () => {
    const { fetch, sent } = stubFetch(({ query }) => json(pageOf(all, Number(query.page ?? 1), 2)));
    const client = new FleetClient({ baseUrl, key, fetch });
    for await (const page of client.vehicles.list().pages({ concurrency: 8 }))
      if (page.pagination.currentPage === 3) break;
    const requests = sent.length;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toHaveLength(requests);
    expect(requests).toBeLessThanOrEqual(3 + 8);
  });
});
