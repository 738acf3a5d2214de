import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { FleetClient } from "../../../src/client/fleet/index.ts";
import { respondWith, socketServer } from "../core/socket-server.ts";
import { json } from "../core/stub-fetch.ts";
import { key, requestedPage, pageOf, rows, stubClient } from "./stub-client.ts";

const pages = 100;

/** Holds requests until as many are in flight as may be, and counts how often it had to let a group go. */
class Gate {
  rounds = 0;
  #passed = 0;
  #waiting: (() => void)[] = [];
  readonly #concurrency: number;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Resolves when the whole group of a request is waiting: the first page alone, then as many as may be in flight. */
  pass(): Promise<void> {
    const passed = new Promise<void>((resolve) => this.#waiting.push(resolve));
    const size = this.#passed === 0 ? 1 : Math.min(this.#concurrency, pages - this.#passed);
    if (this.#waiting.length === size) {
      this.rounds += 1;
      this.#passed += size;
      for (const release of this.#waiting.splice(0)) release();
    }
    return passed;
  }
}

async function walk(client: FleetClient, concurrency: number): Promise<number> {
  let count = 0;
  for await (const page of client.vehicles.list().pages({ concurrency })) count += page.items.length;
  return count;
}

// a walk that had fewer in flight than the gate waits for would never end
describe.each([
  [1, 100],
  [8, 14],
])("a walk over 100 pages with concurrency %i waits for the server %i times", (concurrency, rounds) => {
  it("without a network", async () => {
    const gate = new Gate(concurrency);
    const { client, sent } = stubClient(async (request) => {
      const page = requestedPage(request);
      await gate.pass();
      return json(pageOf(rows(2 * pages), page, 2));
    });
    expect(await walk(client, concurrency)).toBe(2 * pages);
    expect(sent).toHaveLength(pages);
    expect(gate.rounds).toBe(rounds);
  });

  it("over real sockets", async () => {
    const gate = new Gate(concurrency);
    const { client, requested } = await gatedServer(() => gate.pass());
    expect(await walk(client, concurrency)).toBe(2 * pages);
    expect(requested).toHaveLength(pages);
  });
});

it("a walk with concurrency sends no request after the consumer stopped", async () => {
  let sent = 0;
  const { client } = await gatedServer(async () => {});
  const counted = client.withOptions({
    hooks: {
      onRequest: () => {
        sent += 1;
      },
    },
  });
  for await (const page of counted.vehicles.list().pages({ concurrency: 8 })) {
    if (page.pagination.currentPage === 3) break;
  }
  const sentBefore = sent;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(sent).toBe(sentBefore);
  expect(sent).toBeLessThanOrEqual(3 + 8);
});

async function gatedServer(pass: () => Promise<void>): Promise<{ client: FleetClient; requested: number[] }> {
  const requested: number[] = [];
  const respond = async (
    request: IncomingMessage,
    response: ServerResponse,
    index: number,
  ): Promise<void> => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
    requested.push(page);
    await pass();
    respondWith(200, JSON.stringify(pageOf(rows(2 * pages), page, 2)))(request, response, index);
  };
  const server = await socketServer((request, response, index) => void respond(request, response, index));
  return { client: new FleetClient({ baseUrl: `${server.url}/api/third-party/v1`, key }), requested };
}
