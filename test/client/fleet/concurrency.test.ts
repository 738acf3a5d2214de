import { describe, expect, it, vi } from "vitest";
import { json, type SentRequest } from "../core/stub-fetch.ts";
import {
  baseUrl,
  key,
  listServer,
  requestedPage,
  pageOf,
  rejection,
  rows,
  stubClient,
} from "./stub-client.ts";
import { FleetClient } from "../../../src/client/fleet/index.ts";

interface Held {
  page: number;
  release: () => void;
  aborted: () => boolean;
}

/** A list whose responses are held back until the test releases them. */
function heldList(count: number, limit: number): { client: FleetClient; held: Held[]; sent: number[] } {
  const held: Held[] = [];
  const sent: number[] = [];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const page = Number(new URL(url).searchParams.get("page") ?? 1);
    sent.push(page);
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      const release = (): void => resolve(json(pageOf(rows(count), page, limit)));
      held.push({ page, release, aborted: () => init.signal?.aborted === true });
    });
  };
  return { client: new FleetClient({ baseUrl, key, fetch }), held, sent };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("concurrency", () => {
  it("requests only the first page until the number of pages is known", async () => {
    const { client, held, sent } = heldList(20, 2);
    const pages = client.vehicles.list().pages({ concurrency: 3 });
    const first = pages.next();
    await vi.waitFor(() => expect(sent).toEqual([1]), 30_000);
    await settle();
    expect(sent).toEqual([1]);
    held[0]?.release();
    await first;
    await settle();
    expect(sent).toEqual([1, 2, 3, 4]);
    await pages.return?.();
  });

  it("counts pages that wait for their delivery, and not those delivered", async () => {
    const { client, held, sent } = heldList(20, 2);
    const pages = client.vehicles.list().pages({ concurrency: 3 });
    const first = pages.next();
    await vi.waitFor(() => expect(held).toHaveLength(1), 30_000);
    held[0]?.release();
    await first;
    await settle();
    for (const page of held) page.release();
    await settle();
    expect(sent).toEqual([1, 2, 3, 4]);
    await pages.next();
    await settle();
    expect(sent).toEqual([1, 2, 3, 4, 5]);
    await pages.return?.();
  });

  it("delivers pages in order, independent of the order of the responses", async () => {
    const { client, held } = heldList(8, 2);
    const all = client.vehicles.list().pages({ concurrency: 8 });
    const first = all.next();
    await vi.waitFor(() => expect(held).toHaveLength(1), 30_000);
    held[0]?.release();
    const delivered = [(await first).value];
    await settle();
    for (const page of held.toReversed()) {
      page.release();
      await settle();
    }
    for await (const page of all) delivered.push(page);
    expect(delivered.map((page) => page?.pagination.currentPage)).toEqual([1, 2, 3, 4]);
  });

  it.each([1, 2, 3, 8, 50])("%i at once sends what a sequential walk sends", async (concurrency) => {
    const { client, sent } = stubClient(listServer(rows(41), 2));
    const seen: unknown[] = [];
    for await (const item of client.vehicles.list().items({ concurrency })) seen.push(item);
    expect(seen).toEqual(rows(41));
    expect(sent.map(requestedPage)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
  });

  it("never has more requests in flight than its value", async () => {
    let underWay = 0;
    let maximum = 0;
    const { client } = stubClient(async (sent) => {
      underWay += 1;
      maximum = Math.max(maximum, underWay);
      await new Promise((resolve) => setTimeout(resolve, (requestedPage(sent) * 7) % 5));
      underWay -= 1;
      return json(pageOf(rows(60), requestedPage(sent), 2));
    });
    for await (const page of client.vehicles.list().pages({ concurrency: 4 })) void page;
    expect(maximum).toBe(4);
  });

  it("requests no further page after a page has failed, and delivers the pages before it", async () => {
    // the code for errors is loaded with the first one, which could take longer than page 2
    await rejection(stubClient(() => json({}, { status: 404 })).client.vehicles.get("1"));
    const { client, sent } = stubClient(async (one) => {
      const page = requestedPage(one);
      if (page === 3) return json({}, { status: 404 });
      if (page === 2) await settle();
      return json(pageOf(rows(20), page, 2));
    });
    const delivered: number[] = [];
    const walk = async (): Promise<void> => {
      for await (const { pagination } of client.vehicles.list().pages({ concurrency: 3 }))
        delivered.push(pagination.currentPage);
    };
    expect(await rejection(walk())).toHaveProperty("status", 404);
    expect(delivered).toEqual([1, 2]);
    expect(sent.map(requestedPage)).toEqual([1, 2, 3, 4]);
  });

  it("cancels what is in flight when the consumer stops, and sends nothing more", async () => {
    const { client, held, sent } = heldList(100, 2);
    const pages = client.vehicles.list().pages({ concurrency: 4 });
    const first = pages.next();
    await vi.waitFor(() => expect(held).toHaveLength(1), 30_000);
    held[0]?.release();
    await first;
    await settle();
    await pages.return?.();
    await settle();
    expect(sent).toEqual([1, 2, 3, 4, 5]);
    expect(held.map(({ aborted }) => aborted())).toEqual([false, true, true, true, true]);
  });

  it("leaves no unhandled rejection when the consumer stops", async () => {
    const unhandled: unknown[] = [];
    const keep = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", keep);
    const { client } = stubClient((sent) =>
      requestedPage(sent) > 2 ? json({}, { status: 400 }) : json(pageOf(rows(100), requestedPage(sent), 2)),
    );
    for await (const page of client.vehicles.list().pages({ concurrency: 8 })) {
      await settle();
      if (page.pagination.currentPage === 2) break;
    }
    await settle();
    process.off("unhandledRejection", keep);
    expect(unhandled).toEqual([]);
  });

  it("stops requesting ahead after the last page", async () => {
    const shrinks = (sent: SentRequest): Response => {
      const page = requestedPage(sent);
      return json(pageOf(rows(page < 4 ? 100 : 8), page, 2));
    };
    const { client, sent } = stubClient(shrinks);
    for await (const page of client.vehicles.list().pages({ concurrency: 2 })) void page;
    expect(sent.map(requestedPage)).toEqual([1, 2, 3, 4, 5].slice(0, sent.length));
    expect(sent.length).toBeLessThanOrEqual(5);
  });

  it("follows a list that grows while it is walked", async () => {
    const { client } = stubClient((sent) => {
      const page = requestedPage(sent);
      return json(pageOf(rows(page < 3 ? 6 : 9), page, 2));
    });
    const seen: unknown[] = [];
    for await (const item of client.vehicles.list().items({ concurrency: 4 })) seen.push(item);
    expect(seen).toEqual(rows(9));
  });

  it("ends with the signal's reason, and cancels what is in flight", async () => {
    const { client, held } = heldList(100, 2);
    const controller = new AbortController();
    const reason = new Error("enough");
    const pages = client.vehicles.list({}, { signal: controller.signal }).pages({ concurrency: 3 });
    const first = pages.next();
    await vi.waitFor(() => expect(held).toHaveLength(1), 30_000);
    held[0]?.release();
    await first;
    const second = pages.next();
    await settle();
    controller.abort(reason);
    expect(await rejection(second)).toBe(reason);
    expect(held.slice(1).every(({ aborted }) => aborted())).toBe(true);
  });
});

const pageCount = 100;

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
    const size = this.#passed === 0 ? 1 : Math.min(this.#concurrency, pageCount - this.#passed);
    if (this.#waiting.length === size) {
      this.rounds += 1;
      this.#passed += size;
      for (const release of this.#waiting.splice(0)) release();
    }
    return passed;
  }
}

// a walk that had fewer in flight than the gate waits for would never end
it.each([
  [1, 100],
  [8, 14],
])("a walk over 100 pages with concurrency %i waits for the server %i times", async (concurrency, rounds) => {
  const gate = new Gate(concurrency);
  const { client, sent } = stubClient(async (request) => {
    await gate.pass();
    return json(pageOf(rows(2 * pageCount), requestedPage(request), 2));
  });
  let count = 0;
  for await (const page of client.vehicles.list().pages({ concurrency })) count += page.items.length;
  expect(count).toBe(2 * pageCount);
  expect(sent).toHaveLength(pageCount);
  expect(gate.rounds).toBe(rounds);
});
