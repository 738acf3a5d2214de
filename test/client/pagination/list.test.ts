import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type CursorPage,
  FleetClient,
  InvalidRequestError,
  type NumberedPage,
  StoreClient,
} from "../../../src/index.ts";
import type { Fetch, Store, Vehicle } from "../../../src/index.ts";
import { numberedServer } from "./numbered-model.ts";
import { storeServer } from "./store-model.ts";

const key = `acme_${"0123456789abcdef".repeat(4)}`;
const externalIds = ["a", "b", "c", "d", "e"];
const pages = storeServer({ externalIds, cursorStart: "after", nullCursor: "null" });
const numbered = numberedServer({ rows: externalIds.map((id) => ({ id })), shape: "paged" });

function storeClient(fetch: Fetch = pages, options: object = {}): StoreClient {
  return new StoreClient({ baseUrl: "https://store.example", token: "t", fetch, ...options });
}

function fleetClient(fetch: Fetch = numbered, options: object = {}): FleetClient {
  return new FleetClient({ baseUrl: "https://fleet.example/api/third-party/v1", key, fetch, ...options });
}

describe("a list is a promise of its first page", () => {
  const failing = (): StoreClient => storeClient(async () => new Response("{}", { status: 404 }));

  it("by its type", () => {
    expectTypeOf(storeClient().stores.list()).toExtend<Promise<CursorPage<Store>>>();
    expectTypeOf(fleetClient().vehicles.list()).toExtend<Promise<NumberedPage<Vehicle>>>();
  });

  it("that can be raced and passed on like any other promise", async () => {
    const page = await Promise.race([storeClient().stores.list({ limit: 2 }), new Promise<never>(() => {})]);
    expect(page.items).toHaveLength(2);
  });

  it("whose failure `catch` handles", async () => {
    expect(
      await failing()
        .stores.list()
        .catch((error: unknown) => (error as Error).name),
    ).toBe("StoreApiError");
    expect(
      await storeClient()
        .stores.list({ limit: 2 })
        .catch(() => undefined),
    ).toHaveProperty("nextCursor", "b");
  });

  it("after which `finally` runs, also after a failure", async () => {
    let runs = 0;
    const count = (): void => void (runs += 1);
    await expect(failing().stores.list().finally(count)).rejects.toHaveProperty("status", 404);
    await expect(storeClient().stores.list({ limit: 2 }).finally(count)).resolves.toHaveProperty(
      "nextCursor",
      "b",
    );
    expect(runs).toBe(2);
  });

  it("that rejects instead of throwing if the token is invalid", async () => {
    const list = storeClient().stores.list({ resume: "x" });
    await expect(list.catch((error: unknown) => error)).resolves.toBeInstanceOf(InvalidRequestError);
  });
});

describe("the options of a walk", () => {
  it("are rejected if toArray does not have them", async () => {
    await expect(
      fleetClient()
        .vehicles.list()
        .toArray({ maximum: 2 } as never),
    ).rejects.toThrow("maximum: is not an option; expected max");
  });

  it("undefined options count as omitted, including unknown ones", async () => {
    const options = { prefetch: undefined, other: undefined };
    const items: unknown[] = [];
    for await (const item of storeClient().stores.list({ limit: 2 }).items(options)) items.push(item);
    for await (const item of fleetClient().vehicles.list({ limit: 2 }).items({ concurrency: undefined }))
      items.push(item);
    expect(items).toHaveLength(10);
  });
});

/** Counts the listeners that a signal has. */
function watch(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener(...args: Parameters<typeof addEventListener>) {
      listeners.add(args[1]);
      addEventListener.apply(signal, args);
    },
    removeEventListener(...args: Parameters<typeof removeEventListener>) {
      listeners.delete(args[1]);
      removeEventListener.apply(signal, args);
    },
  });
  return () => listeners.size;
}

describe("leaving a walk", () => {
  /** Responds to the first page at once, and never to any other page. */
  function stallBody(server: (url: string) => Promise<Response>): { fetch: Fetch; cancelled: () => number } {
    let requests = 0;
    let cancelled = 0;
    const fetch: Fetch = (url, { signal }) => {
      requests += 1;
      if (requests === 1) return server(url);
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          cancelled += 1;
          reject(signal.reason as Error);
        });
      });
    };
    return { fetch, cancelled: () => cancelled };
  }
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

  // regression: each page in flight was reported as an error
  it("with `break` cancels the pages in flight, calls no `onError` and leaves no listener", async () => {
    const errors: unknown[] = [];
    const hooks = { onError: (event: unknown) => errors.push(event) };
    const { signal } = new AbortController();
    const listeners = watch(signal);
    const one = stallBody(numbered);
    for await (const _ of fleetClient(one.fetch, { hooks })
      .vehicles.list({ limit: 1 }, { signal })
      .pages({ concurrency: 4 }))
      break;
    const other = stallBody(pages);
    for await (const _ of storeClient(other.fetch, { hooks })
      .stores.list({ limit: 1 }, { signal })
      .pages({ prefetch: 2 }))
      break;
    await settle();
    expect([one.cancelled(), other.cancelled()]).toEqual([4, 1]);
    expect(errors).toEqual([]);
    expect(listeners()).toBe(0);
  });

  it("by its signal throws the reason unchanged, and is reported to the hook", async () => {
    const errors: unknown[] = [];
    const hooks = { onError: ({ error }: { error: unknown }) => errors.push(error) };
    const controller = new AbortController();
    const listeners = watch(controller.signal);
    const walk = async (): Promise<void> => {
      const list = storeClient(stallBody(pages).fetch, { hooks }).stores.list(
        { limit: 1 },
        { signal: controller.signal },
      );
      for await (const _ of list) setTimeout(() => controller.abort("enough"), 0);
    };
    await expect(walk()).rejects.toBe("enough");
    expect(errors).toEqual(["enough"]);
    expect(listeners()).toBe(0);
  });
});

describe("a page knows its response", () => {
  const withId =
    (fetch: Fetch): Fetch =>
    async (url, init) => {
      const response = (await fetch(url, init)) as Response;
      response.headers.set("x-request-id", new URL(url).search);
      return response;
    };

  it("in a list with cursors, page after page", async () => {
    const ids: (string | undefined)[] = [];
    for await (const page of storeClient(withId(pages)).stores.list({ limit: 2 }).pages()) {
      const { data, response, requestId } = await page.withResponse();
      expect(data).toBe(page);
      expect(response.status).toBe(200);
      ids.push(requestId);
    }
    expect(ids).toEqual(["?limit=2", "?limit=2&cursor=b", "?limit=2&cursor=d"]);
  });

  it("in a list of numbered pages, with the envelope's `meta`", async () => {
    const list = fleetClient(withId(numbered)).vehicles.list({ limit: 2 });
    for await (const page of list.pages({ concurrency: 2 })) {
      const { meta, requestId } = await page.withResponse();
      expect(meta).toBe(page.meta);
      expect(requestId).toBe(
        page.pagination.currentPage === 1 ? "?limit=2" : `?limit=2&page=${page.pagination.currentPage}`,
      );
    }
  });

  it("also under `verify`", async () => {
    const client = fleetClient(withId(numbered));
    for await (const page of client.vehicles.list({ limit: 2, verify: true }).pages())
      expect(await page.withResponse()).toHaveProperty("response.status", 200);
  });

  it("a list returns the response of its first page", async () => {
    const { data, requestId } = await storeClient(withId(pages)).stores.list({ limit: 2 }).withResponse();
    expect([data.nextCursor, requestId]).toEqual(["b", "?limit=2"]);
  });

  it("and does not show it when it is serialized or compared", async () => {
    const page = await storeClient().stores.list({ limit: 2 });
    expect(Object.keys(page)).toEqual(["items", "nextCursor", "resume", "raw"]);
    expect(JSON.stringify(page)).not.toContain("withResponse");
  });
});
