import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { TimeoutError } from "../../../src/client/store/index.ts";
import { socketServer } from "../core/socket-server.ts";
import { json } from "../core/stub-fetch.ts";
import { socketClient } from "./socket-client.ts";
import { anyBody, stubClient } from "./stub-client.ts";

const forever = (): Promise<Response> => new Promise(() => {});
const failing = (): Response => json({}, { status: 503 });

describe("a deadline", () => {
  it("covers an attempt, even where fetch ignores its signal", async () => {
    const { client, sent } = stubClient(forever, { timeout: 20, retry: 0 });
    const error = await client.stores.get("S").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ kind: "attempt", after: 20, attempts: 1 });
    expect((error as Error).stack).toContain(
      "GET /v1/stores/{externalId}: no complete response within 20 ms (timeout)",
    );
    expect(sent).toHaveLength(1);
  });

  it("over all attempts covers their waits", async () => {
    const { client, sent } = stubClient((_, index) => (index === 0 ? failing() : forever()), {
      retry: { limit: 9, maxDelay: 1 },
    });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const settled = Promise.allSettled([client.stores.get("S", { totalTimeout: 60 })]);
    await vi.advanceTimersByTimeAsync(60);
    const reason = { name: "TimeoutError", kind: "total", after: 60, attempts: 2 };
    expect(await settled).toMatchObject([{ status: "rejected", reason }]);
    expect(sent).toHaveLength(2);
  });
});

const reasons = [new Error("mine"), "text", 5, null, new DOMException("stop", "AbortError")];

describe("an abort by the caller rejects with the signal's reason", () => {
  it.each(reasons)("before anything is sent: %j", async (reason) => {
    const { client, sent } = stubClient();
    const signal = AbortSignal.abort(reason);
    await expect(client.stores.get("S", { signal })).rejects.toBe(reason);
    await expect(client.stores.upsert("S", {}, { signal })).rejects.toBe(reason);
    await expect(client.stores.list({}, { signal })).rejects.toBe(reason);
    await expect(client.stores.list({}, { signal }).take(1)).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  const waits = () => json({}, { status: 503, headers: { "retry-after": "20" } });
  const moments: [string, (index: number) => Response | Promise<Response>][] = [
    ["the request", forever],
    ["a wait", waits],
    ["a later attempt", (index) => (index === 0 ? failing() : forever())],
  ];

  it.each(
    moments.flatMap(([moment, respond]) => reasons.map((reason) => [moment, reason, respond] as const)),
  )("during %s: %j", async (_, reason, respond) => {
    const { client, sent } = stubClient((__, index) => respond(index), { retry: { maxDelay: 20_000 } });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const controller = new AbortController();
    const settled = Promise.allSettled([client.stores.get("S", { signal: controller.signal })]);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.abort(reason);
    expect(await settled).toEqual([{ status: "rejected", reason }]);
    expect(sent).toHaveLength(respond === forever || respond === waits ? 1 : 2);
  });

  it("within the body, and closes the connection", async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const { url } = await socketServer((_, response) => {
      closed = new Promise((resolve) => response.on("close", resolve));
      response.writeHead(200).write("{");
      setTimeout(() => controller.abort("enough"), 5);
    });
    await expect(socketClient(url).stores.get("S", { signal: controller.signal })).rejects.toBe("enough");
    await closed;
  });
});

it("calls that were retried leave no listener on a signal that they share", async () => {
  const { client } = stubClient((_, index) => (index % 2 === 0 ? failing() : json(anyBody)), {
    retry: { maxDelay: 0 },
  });
  const { signal } = new AbortController();
  for (let call = 0; call < 200; call++) await client.stores.get("S", { signal });
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
