import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type CallOptions,
  StoreApiError,
  type StoreClient,
  type StoreClientOptions,
} from "../../../src/client/store/index.ts";
import { respondWith, type Handler, socketServer } from "../core/socket-server.ts";
import { json } from "../core/stub-fetch.ts";
import { socketClient } from "./socket-client.ts";
import { store, stubClient, uuid } from "./stub-client.ts";
import { raw } from "../../../src/client/raw/index.ts";

const element = { label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" } as never;
const named = {
  label: "B",
  productCategories: [],
  expositionType: "FRIDGE_SALADS",
  expositionId: uuid,
} as never;
const reset: Handler = (request) => request.socket.resetAndDestroy();
const failing = respondWith(500, "{}");

type Call = (client: StoreClient) => PromiseLike<unknown>;

async function requestsOf(
  handler: Handler,
  call: Call,
  options?: Partial<StoreClientOptions>,
): Promise<number> {
  const { url, requests } = await socketServer(handler);
  await Promise.resolve(call(socketClient(url, options))).catch(() => {});
  return requests.length;
}

describe("a failed call", () => {
  it.each([reset, failing])("is retried where sending twice is sending once", async (handler) => {
    expect(await requestsOf(handler, (c) => c.stores.get("S"))).toBe(2);
    expect(await requestsOf(handler, (c) => c.stores.list())).toBe(2);
    expect(await requestsOf(handler, (c) => c.stores.upsert("S", {}))).toBe(2);
    expect(await requestsOf(handler, (c) => c.contacts.replace("S", []))).toBe(2);
    expect(await requestsOf(handler, (c) => c.stores.upsert("S", { externalId: "S" }))).toBe(2);
  });

  // gaps expositions.matching, expositions.unknown-id, stores.body-external-id
  it.each([reset, failing])(
    "is sent once where a gap leaves open what sending twice does",
    async (handler) => {
      for (const list of [[named, element], [named, named], [element]]) {
        expect(await requestsOf(handler, (c) => c.expositions.upsert("S", list))).toBe(1);
        const init = { params: { path: { externalId: "S" } }, body: { expositions: list } };
        expect(
          await requestsOf(handler, (c) => raw(c).PUT("/v1/stores/{externalId}/expositions", init)),
        ).toBe(1);
      }
      expect(await requestsOf(handler, (c) => c.stores.upsert("S", { externalId: "T" }))).toBe(1);
    },
  );

  const safe = [
    { "expositions.matching": "label", "expositions.unknown-id": "created" },
    { "expositions.matching": "type", "expositions.unknown-id": "not-found" },
  ] as const;
  it.each(safe)("is retried where the readings %j close the gap", async (readings) => {
    expect(await requestsOf(failing, (c) => c.expositions.upsert("S", [element]), { readings })).toBe(2);
    expect(await requestsOf(failing, (c) => c.expositions.upsert("S", [named]), { readings })).toBe(2);
    const renames = { "stores.body-external-id": "path-wins" } as const;
    const rename: Call = (c) => c.stores.upsert("S", { externalId: "T" });
    expect(await requestsOf(failing, rename, { readings: renames })).toBe(2);
  });

  it.each(safe)(
    "is sent once where an element with ID may rename what another one matches: %j",
    async (readings) => {
      const mixed: Call = (c) => c.expositions.upsert("S", [named, element]);
      expect(await requestsOf(failing, mixed, { readings })).toBe(1);
    },
  );

  it("is sent once where the readings say that twice is more than once", async () => {
    const readings = { "expositions.matching": "always-new", "expositions.unknown-id": "created" } as const;
    expect(await requestsOf(failing, (c) => c.expositions.upsert("S", [element]), { readings })).toBe(1);
    const renames = { "stores.body-external-id": "renames" } as const;
    const rename: Call = (c) => c.stores.upsert("S", { externalId: "T" });
    expect(await requestsOf(failing, rename, { readings: renames })).toBe(1);
  });

  describe("with several expositions without IDs", () => {
    const made = (label: string, expositionType: string): never =>
      ({ label, productCategories: [], expositionType }) as never;
    const sameLabel = [made("A", "FRIDGE_DRINKS"), made("A", "FRIDGE_SALADS")];
    const sameType = [made("A", "FRIDGE_DRINKS"), made("B", "FRIDGE_DRINKS")];
    const equal = [made("A", "FRIDGE_DRINKS"), made("A", "FRIDGE_DRINKS")];

    it.each([
      ["label", sameLabel, 1],
      ["label", sameType, 2],
      ["type", sameLabel, 2],
      ["type", sameType, 1],
      ["label-and-type", sameLabel, 2],
      ["label-and-type", sameType, 2],
      ["label-and-type", equal, 1],
    ] as const)(
      "is retried where each matches another one: by %s, %j, %i times",
      async (matching, list, times) => {
        const readings = { "expositions.matching": matching };
        expect(await requestsOf(failing, (c) => c.expositions.upsert("S", list), { readings })).toBe(times);
      },
    );
  });

  it("is retried with expositions that all have IDs where only unknown IDs matter", async () => {
    const readings = { "expositions.unknown-id": "created" } as const;
    expect(await requestsOf(failing, (c) => c.expositions.upsert("S", [named]), { readings })).toBe(2);
  });

  it.each([{}, { expositions: "none" }, [named]])(
    "is sent once with a body whose expositions are unknown: %j",
    async (body) => {
      const readings = { "expositions.unknown-id": "created" } as const;
      const put: Call = (c) =>
        raw(c).PUT("/v1/stores/{externalId}/expositions", {
          params: { path: { externalId: "S" } },
          body: body as never,
        });
      expect(await requestsOf(failing, put, { readings })).toBe(1);
    },
  );

  it("is sent again with expositions without ids where the server did not process it", async () => {
    const { client, sent } = stubClient((_, index) =>
      json({}, { status: index === 0 ? 429 : 400, headers: { "retry-after": "0" } }),
    );
    await expect(client.expositions.upsert("S", [element])).rejects.toMatchObject({ status: 400 });
    expect(sent).toHaveLength(2);
  });

  it("succeeds where a later attempt does", async () => {
    const { client, sent } = stubClient((_, index) => (index < 2 ? json({}, { status: 502 }) : json(store)), {
      retry: { maxDelay: 1 },
    });
    expect(await client.stores.upsert("S", { name: "x" })).toEqual(store);
    expect(sent.map(({ body }) => body)).toEqual([{ name: "x" }, { name: "x" }, { name: "x" }]);
  });

  it("is not retried where the service has no token", async () => {
    const { client, sent } = stubClient(() =>
      json({ error: { code: "not_configured", message: "" } }, { status: 503 }),
    );
    await expect(client.stores.get("S")).rejects.toMatchObject({ code: "not_configured", attempts: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe("the limits of retries", () => {
  const limits: [CallOptions["retry"], number][] = [
    [0, 1],
    [1, 2],
    [{ limit: 0 }, 1],
    [{ limit: 3, maxDelay: 1 }, 4],
    [{ maxDelay: 0 }, 3],
  ];
  it.each(limits)("%j sends %i times", async (retry, times) => {
    const { client, sent } = stubClient(() => json({}, { status: 503, headers: { "retry-after": "0" } }));
    await expect(client.stores.get("S", { retry })).rejects.toMatchObject({ status: 503, attempts: times });
    expect(sent).toHaveLength(times);
  });

  it("are two retries unless told otherwise, and a call's go before the client's", async () => {
    const { client, sent } = stubClient(() => json({}, { status: 500 }), {
      retry: { limit: 5, maxDelay: 1 },
    });
    await expect(client.stores.get("S", { retry: 1 })).rejects.toBeInstanceOf(StoreApiError);
    expect(sent).toHaveLength(2);
    const unlimited = stubClient(() => json({}, { status: 500 }));
    await expect(unlimited.client.stores.get("S", { retry: { maxDelay: 1 } })).rejects.toBeInstanceOf(
      StoreApiError,
    );
    expect(unlimited.sent).toHaveLength(3);
  });
});

describe("Retry-After", () => {
  it.each([
    ["seconds", () => "1"],
    ["an HTTP date", () => new Date(Date.now() + 1000).toUTCString()],
  ])("is waited for exactly: %s", async (_, value) => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { client, sent } = stubClient((_request, index) =>
      index === 0 ? json({}, { status: 503, headers: { "retry-after": value() } }) : json(store),
    );
    const call = client.stores.get("S");
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(sent).toHaveLength(2);
  });

  it("that is longer than the longest wait, or than the total deadline, ends the call with its error", async () => {
    const refused = () => json({}, { status: 429, headers: { "retry-after": "2" } });
    const [first, second] = [stubClient(refused), stubClient(refused)];
    // a wait would never end
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await expect(first.client.stores.get("S", { retry: { maxDelay: 1999 } })).rejects.toMatchObject({
      attempts: 1,
    });
    await expect(second.client.stores.get("S", { totalTimeout: 1000 })).rejects.toMatchObject({
      status: 429,
      attempts: 1,
    });
    expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
  });
});
