import { describe, expect, test } from "vitest";
import { createReferenceServer, type FaultKind, type FaultPlace } from "../../src/mock/index.ts";
import { adapters } from "./adapters.ts";

describe.each(adapters)("a fault over %s", (_name, start) => {
  const begin = async () => {
    const ref = createReferenceServer();
    const { fetch, storeUrl } = await start(ref);
    const headers = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
    const send = (init: RequestInit = {}) => fetch(`${storeUrl}/v1/stores/S-1`, { headers, ...init });
    return { ref, send };
  };

  test.for(["reset", "close"] as const)("%s rejects with a TypeError", async (kind) => {
    const { ref, send } = await begin();
    ref.on("getStore").fault(kind).times(1);
    await expect(send()).rejects.toThrow(TypeError);
    expect((await send()).status).toBe(200);
  });

  test("truncate sends the length of the whole body and cuts the body", async () => {
    const { ref, send } = await begin();
    const whole = await (await send()).text();
    ref.on("getStore").fault("truncate");
    const response = await send();
    const length = String(new TextEncoder().encode(whole).length);
    expect([response.status, response.headers.get("content-length")]).toEqual([200, length]);
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  test("slow sends the whole response to a write that was executed", async () => {
    const { ref, send } = await begin();
    ref.on("putStore").fault("slow", { bytesPerSecond: 100_000 });
    const put = (body: object) => send({ method: "PUT", body: JSON.stringify(body) });
    expect(await (await put({ name: "New" })).json()).toMatchObject({ externalId: "S-1", name: "New" });
    expect(ref.state.store.stores.get("S-1")?.name).toBe("New");
    expect((await put({ name: 5 })).status).toBe(400);
  });

  test.for([
    ["malformed", "application/json", /^[^}]*$/],
    ["html", "text/html", /^<!doctype html>.*<\/html>$/],
  ] as const)("%s sends a complete response", async ([kind, type, text]) => {
    const { ref, send } = await begin();
    ref.on("getStore").fault(kind);
    const response = await send();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(await response.text()).toMatch(text);
  });

  test.for(["head", "body"] as const)("stall at the %s ends with the caller's signal", async (at) => {
    const { ref, send } = await begin();
    ref.on("getStore").fault("stall", { at });
    const reason = new Error("enough");
    const controller = new AbortController();
    const pending = send({ signal: controller.signal }).then((response) => response.text());
    setTimeout(() => controller.abort(reason), 10);
    await expect(pending).rejects.toBe(reason);
  });

  test("slow sends the body a few bytes at a time", async () => {
    const { ref, send } = await begin();
    ref.on("getStore").fault("slow", { bytesPerSecond: 2_000 });
    const response = await send();
    const parts: number[] = [];
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(part.length);
    expect(parts.length).toBeGreaterThan(1);
    const length = parts.reduce((sum, part) => sum + part, 0);
    expect(String(length)).toBe(response.headers.get("content-length"));
  });

  test.for<[FaultKind, FaultPlace | undefined, boolean]>([
    ["reset", undefined, false],
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
  ])("%s at %s lets a write be executed: %s", async ([kind, at, expected]) => {
    const { ref, send } = await begin();
    ref.on("putStore").fault(kind, { at }).times(1);
    await send({ method: "PUT", body: '{"name":"written"}' }).catch(() => undefined);
    expect(ref.state.store.stores.get("S-1")?.name === "written").toBe(expected);
  });
});
