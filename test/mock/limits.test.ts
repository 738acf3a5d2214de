import { afterEach, expect, test, vi } from "vitest";
import { type RateLimits, createReferenceServer } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

/** A limit that real time does not refill during a test. */
const two = { perSecond: 0.001, burst: 2 } as const;

afterEach(() => {
  vi.useRealTimers();
});

async function statuses(caller: Caller, ...paths: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await caller.get(path)).status);
  return found;
}

test("given limits select the reading of both gaps, and each token and key has its own bucket", async () => {
  const caller = new Caller({ limits: two });
  expect(await statuses(caller, "/v1/stores", "/v1/stores/S-1", "/v1/stores/S-1")).toEqual([200, 200, 429]);
  expect(await statuses(caller, "/vehicles", "/damages", "/vehicles")).toEqual([200, 200, 429]);
  expect(caller.ref.readings).toMatchObject({
    "limits.store-rate": "too-many-requests",
    "limits.fleet-rate": "too-many-requests",
  });
});

test("a selected reading wins over given limits, and a reading without limits has default limits", async () => {
  const caller = new Caller({ limits: two, readings: { "limits.store-rate": "none" } });
  expect(await statuses(caller, "/v1/stores", "/v1/stores", "/v1/stores")).toEqual([200, 200, 200]);
  expect(await statuses(caller, "/vehicles", "/vehicles", "/vehicles")).toEqual([200, 200, 429]);
  const { ref } = new Caller({ readings: { "limits.store-rate": "too-many-requests" } });
  expect(ref.limits).toEqual({ perSecond: 10, burst: 10, retryAfter: "seconds" });
});

test("a 429 has the error body of its API", async () => {
  const caller = new Caller({ limits: { perSecond: 0.1, burst: 1 } });
  await statuses(caller, "/v1/stores", "/vehicles");
  const store = await caller.get("/v1/stores");
  expect(store.body).toEqual({ error: { message: "Too many requests" } });
  expect(store.headers.get("retry-after")).toBe("10");
  const fleet = await caller.get("/vehicles");
  expect(fleet.body).toEqual({ errors: [{ code: "TOO_MANY_REQUESTS", message: "Too many requests" }] });
  expect(fleet.headers.get("retry-after")).toBe("10");
  expect(caller.ref.journal.all().map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  expect(caller.ref.journal.violations()).toEqual([]);
});

test("a request counts only if its token or key is accepted, and an override applies before the limit", async () => {
  const caller = new Caller({ limits: two });
  const wrong = { authorization: "Bearer wrong" };
  for (let round = 0; round < 5; round++)
    expect((await caller.send("GET", "/v1/stores", undefined, wrong)).status).toBe(401);
  caller.ref.on("listStores").once({ status: 503 });
  caller.ref.on("putStore").fault("html").times(1);
  await caller.get("/v1/stores");
  await caller.ref.fetch(`${caller.ref.storeUrl}/v1/stores/S-1`, { method: "PUT", body: "{}" });
  expect(await statuses(caller, "/v1/stores/none", "/v1/stores?limit=0", "/v1/stores")).toEqual([
    404, 400, 429,
  ]);
});

test("a write above the limit is not executed", async () => {
  const caller = new Caller({ limits: { perSecond: 0.001, burst: 1 } });
  await caller.get("/v1/stores/S-1");
  expect((await caller.put("/v1/stores/S-1", { name: "New" })).status).toBe(429);
  expect(caller.ref.state.store.stores.get("S-1")?.name).not.toBe("New");
});

test("an advance of the mock clock by Retry-After lets one more request pass", async () => {
  const caller = new Caller({ limits: { perSecond: 0.003, burst: 1 } });
  await caller.get("/v1/stores");
  const refused = await caller.get("/v1/stores");
  expect(refused.headers.get("retry-after")).toBe("334");
  caller.ref.clock.advance({ seconds: Number(refused.headers.get("retry-after")) });
  expect(await statuses(caller, "/v1/stores", "/v1/stores")).toEqual([200, 429]);
  caller.ref.clock.advance({ days: 1 });
  expect(await statuses(caller, "/v1/stores", "/v1/stores")).toEqual([200, 429]); // at most the burst
  caller.ref.clock.advance({ days: -2 });
  expect(await statuses(caller, "/v1/stores")).toEqual([429]);
  caller.ref.clock.advance({ seconds: 334 });
  expect(await statuses(caller, "/v1/stores")).toEqual([200]);
});

test("reset fills the buckets and restores the limits, which can be switched", async () => {
  const caller = new Caller({ limits: two });
  const three = ["/v1/stores", "/v1/stores", "/v1/stores"];
  expect(await statuses(caller, ...three)).toEqual([200, 200, 429]);
  caller.ref.switchLimits({ perSecond: 0.001, burst: 1 });
  expect(await statuses(caller, ...three)).toEqual([200, 429, 429]);
  caller.ref.reset();
  expect(await statuses(caller, ...three)).toEqual([200, 200, 429]);
  const unlimited = new Caller();
  unlimited.ref.switchLimits(two);
  expect(await statuses(unlimited, ...three)).toEqual([200, 200, 429]);
  unlimited.ref.reset();
  expect(await statuses(unlimited, ...three)).toEqual([200, 200, 200]);
});

test("a Retry-After date is in the future by the machine's clock, in whole seconds", async () => {
  vi.useFakeTimers({ now: new Date("2026-03-01T10:00:00.400Z"), toFake: ["Date"] });
  const caller = new Caller({ limits: { perSecond: 0.1, burst: 1, retryAfter: "date" }, timers: "global" });
  await caller.get("/v1/stores");
  const refused = await caller.get("/v1/stores");
  expect(refused.headers.get("retry-after")).toBe("Sun, 01 Mar 2026 10:00:11 GMT");
  vi.setSystemTime("2026-03-01T10:00:11Z");
  expect(await statuses(caller, "/v1/stores")).toEqual([200]);
});

test("`retryAfter: none` leaves Retry-After out", async () => {
  const caller = new Caller({ limits: { ...two, retryAfter: "none" } });
  await statuses(caller, "/v1/stores", "/v1/stores");
  const refused = await caller.get("/v1/stores");
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, false]);
});

test.for<[unknown, RegExp]>([
  [{ perSecond: 0 }, /limits\.perSecond must be a positive number/],
  [{ perSecond: 1, retryAfter: "minutes" }, /limits\.retryAfter must be one of seconds, date/],
  [{ perMinute: 1 }, /limits: unknown property "perMinute"/],
  [null, /limits must be an object/],
])("limits of %j are an error that names the place", ([limits, message]) => {
  expect(() => createReferenceServer({ limits: limits as RateLimits })).toThrow(message);
  expect(() => createReferenceServer().switchLimits(limits as RateLimits)).toThrow(message);
});
