import { expect, test } from "vitest";
import type { FaultKind, FaultPlace } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

const read = (caller: Caller, signal?: AbortSignal) =>
  caller.ref.fetch(`${caller.ref.storeUrl}/v1/stores/S-1`, {
    headers: { authorization: `Bearer ${caller.ref.token}` },
    ...(signal && { signal }),
  });

test.for(["reset", "close"] as const)(
  "the fault %s rejects with a TypeError over ref.fetch",
  async (kind) => {
    const caller = new Caller();
    caller.ref.on("getStore").fault(kind).times(1);
    await expect(read(caller)).rejects.toThrow(TypeError);
    expect((await read(caller)).status).toBe(200);
  },
);

test("the fault truncate sends the length of the whole body and cuts the body", async () => {
  const caller = new Caller();
  const whole = await (await read(caller)).text();
  caller.ref.on("getStore").fault("truncate");
  const response = await read(caller);
  expect([response.status, response.headers.get("content-length")]).toEqual([
    200,
    String(new TextEncoder().encode(whole).length),
  ]);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  expect(whole.startsWith(new TextDecoder().decode(value))).toBe(true);
  await expect(reader.read()).rejects.toThrow(TypeError);
});

test("the fault malformed sends a complete response of type JSON that is not JSON", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").fault("malformed");
  const response = await read(caller);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  await expect(response.json()).rejects.toThrow(SyntaxError);
});

test("the fault html sends a complete page", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").fault("html");
  const response = await read(caller);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html"]);
  expect(await response.text()).toMatch(/^<!doctype html>.*<\/html>$/);
});

test.for(["head", "body"] as const)("the fault stall at the %s ends with the caller's signal", async (at) => {
  const caller = new Caller();
  caller.ref.on("getStore").fault("stall", { at });
  const reason = new Error("enough");
  const controller = new AbortController();
  const pending = read(caller, controller.signal).then((response) => response.text());
  setTimeout(() => controller.abort(reason), 10);
  await expect(pending).rejects.toBe(reason);
});

test("the fault slow sends the body a few bytes at a time", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").fault("slow", { bytesPerSecond: 1_000 });
  const response = await read(caller);
  const parts: number[] = [];
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(part.length);
  expect(parts.length).toBeGreaterThan(1);
  const length = parts.reduce((sum, part) => sum + part, 0);
  expect(String(length)).toBe(response.headers.get("content-length"));
});

const CASES: [FaultKind, FaultPlace | undefined, boolean][] = [
  ["reset", undefined, false],
  ["reset", "before", false],
  ["reset", "after", true],
  ["close", undefined, false],
  ["close", "after", true],
  ["malformed", undefined, false],
  ["malformed", "after", true],
  ["html", "before", false],
  ["html", "after", true],
  ["truncate", undefined, false],
  ["truncate", "body", true],
  ["truncate", "head", true],
];

test.for(CASES)("a write under the fault %s at %s is executed: %s", async ([kind, at, expected]) => {
  const caller = new Caller();
  caller.ref
    .on("putStore")
    .fault(kind, at === undefined ? {} : { at })
    .times(1);
  await caller.put("/v1/stores/N-1", {}).catch(() => undefined);
  expect(caller.ref.state.store.stores.has("N-1")).toBe(expected);
});
