import { describe, expect, test } from "vitest";
import { fleetContract } from "../../generated/fleet.contract.ts";
import { createReferenceServer, type OperationId, type ReferenceServer } from "../../src/mock/index.ts";
import type { OperationContract } from "../../src/wire/operation.ts";
import { Caller } from "./caller.ts";

const outage = { status: 503 } as const;

/** The statuses of the responses for several stores. */
async function statuses(caller: Caller, ...ids: string[]): Promise<number[]> {
  const seen: number[] = [];
  for (const id of ids) seen.push((await caller.get(`/v1/stores/${id}`)).status);
  return seen;
}

describe("a forced response", () => {
  const contract: Record<string, OperationContract<unknown>> = fleetContract;
  const documented = Object.values(contract).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { code: name }]) =>
      name === undefined ? [] : `${status} ${name}`,
    ),
  );
  const ofFleet = [...new Set([...documented, "400 BAD_REQUEST", "500 INTERNAL_ERROR"])].map((text) => {
    const [status, name] = text.split(" ");
    return [
      "/vehicles",
      Number(status),
      { errors: [expect.objectContaining({ code: name }) as object] },
    ] as const;
  });
  test.for([
    ["/v1/stores", 400, { error: { code: "validation_failed", message: "The request is invalid" } }],
    ["/v1/stores", 401, { error: { code: "unauthorized", message: "The token is missing or invalid" } }],
    ["/v1/stores", 404, { error: { code: "not_found", message: "No resource has this ID" } }],
    ["/v1/stores", 503, { error: { message: "The request failed" } }], // an outage, not a server without a token
    ["/v1/stores", 429, { error: { message: "The request failed" } }],
    ...ofFleet,
  ] as const)("of %s with only the status %i has its documented body: %j", async ([path, status, body]) => {
    const caller = new Caller();
    caller.ref.on("*").once({ status });
    const response = await caller.get(path);
    expect([response.status, response.body]).toEqual([status, body]);
  });

  test.for([204, 205])("with %i has no body, and the request is executed", async (status) => {
    const caller = new Caller();
    caller.ref.on("putStore").once({ status });
    const response = await caller.put("/v1/stores/S-1", { name: "written" });
    expect([response.status, response.body]).toEqual([status, undefined]);
    expect(caller.ref.state.store.stores.get("S-1")?.name).toBe("written");
  });

  test("without a body keeps that of a success, with the given headers, and does not change an error", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 202, headers: { "X-Own": "1" } });
    const response = await caller.get("/v1/stores/S-1");
    expect([response.status, response.body.externalId, response.headers.get("x-own")]).toEqual([
      202,
      "S-1",
      "1",
    ]);
    expect((await caller.get("/v1/stores/none")).status).toBe(404);
  });

  test.for([
    [{ status: 429, body: "slow down", headers: { "retry-after": "1" } }, "slow down"],
    [{ status: 304 }, ""],
    [{ status: 200, body: null }, "null"],
    [{ status: 404, body: null }, "null"],
  ] as const)("of %j is sent as %j", async ([response, text]) => {
    const { ref } = new Caller();
    ref.on("getStore").once(response);
    const sent = await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`);
    expect([sent.status, await sent.text()]).toEqual([response.status, text]);
  });

  test("comes before authentication, and prevents a write unless it is of the time after", async () => {
    const caller = new Caller({ fleet: { damages: 0 } });
    caller.ref.on("putStore").once({ status: 500 });
    const headers = { authorization: "Bearer wrong" };
    expect((await caller.send("PUT", "/v1/stores/N-1", "{}", headers)).status).toBe(500);
    expect((await caller.get("/v1/stores/N-1")).status).toBe(404);
    caller.ref.on("createDamage").once({ status: 504 }, { at: "after" });
    expect((await caller.send("POST", "/damages", '{"description":"Scratch"}')).status).toBe(504);
    expect([...caller.ref.state.fleet.damages.values()]).toMatchObject([{ description: "Scratch" }]);
    expect(caller.ref.overrides.all()).toEqual([]);
  });
});

describe("a change of responses", () => {
  test("gets the response and the request", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").change(({ body }, { path }) => ({
      status: 202,
      body: { ...Object(body), asked: path["externalId"] },
    }));
    expect(await caller.get("/v1/stores/S-2")).toMatchObject({
      status: 202,
      body: { externalId: "S-2", asked: "S-2" },
    });
  });

  test("without a body has the documented one of the status, and that of the response before for 2xx", async () => {
    const caller = new Caller();
    const sent = (await caller.get("/v1/stores/S-1")).body;
    caller.ref.on("getStore").change(() => ({ headers: { "x-cache": "hit" } }));
    expect((await caller.get("/v1/stores/S-1")).body).toEqual(sent);
    caller.ref.reset();
    caller.ref.on("getStore").change(() => ({ status: 404 }));
    expect(await caller.get("/v1/stores/S-1")).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
  });

  test("keeps the response if it returns nothing, and is a 501 if it fails or returns a promise", async () => {
    const caller = new Caller();
    const change = caller.ref
      .on("getStore")
      .change(() => undefined)
      .times(1);
    expect(await statuses(caller, "S-1")).toEqual([200]);
    expect(change.ids).toEqual([]);
    caller.ref
      .on("getStore")
      .change((async () => ({ status: 418 })) as never)
      .times(1);
    expect(await statuses(caller, "S-1")).toEqual([501]);
    caller.ref.on("getStore").change(() => {
      throw new Error("broken test");
    });
    expect(JSON.stringify((await caller.get("/v1/stores/S-1")).body)).toContain("broken test");
  });
});

describe("the first override that matches", () => {
  test("is one with a count, oldest first, or else one without a count, newest first", async () => {
    const caller = new Caller();
    const { ref } = caller;
    ref.on("getStore").always({ status: 500 });
    ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 501 });
    ref.on("*", { path: { externalId: "S-2" } }).once({ status: 502 });
    ref.on("getStore").once({ status: 503 });
    ref.on("getStore", { path: { externalId: "S-2" } }).once({ status: 504 });
    expect(await statuses(caller, "S-2", "S-2", "S-2", "S-2", "S-1")).toEqual([502, 503, 504, 501, 500]);
    ref.on("*").always({ status: 505 });
    expect(await statuses(caller, "S-2", "S-1")).toEqual([505, 505]);
  });

  test("keeps its place if it gets its count later, also after it was used", async () => {
    const caller = new Caller();
    const first = caller.ref.on("getStore").always({ status: 500 });
    expect(await statuses(caller, "S-1")).toEqual([500]);
    caller.ref.on("getStore").once({ status: 501 });
    first.times(1);
    expect(await statuses(caller, "S-1", "S-1", "S-1")).toEqual([500, 501, 200]);
  });
});

test("an override of `*` applies to every operation of both APIs, and to no unknown path", async () => {
  const caller = new Caller();
  caller.ref.on("*").always({ status: 503 });
  const found = [];
  for (const path of ["/v1/stores", "/vehicles", "/v1/nothing"]) found.push((await caller.get(path)).status);
  expect(found).toEqual([503, 503, 404]);
});

test("an override of the pages of all lists does not count other operations", async () => {
  const caller = new Caller();
  caller.ref.on("*").paging("empty-page").times(1);
  expect((await caller.get("/v1/stores/S-1")).status).toBe(200);
  expect(caller.ref.overrides.all()).toMatchObject([{ times: 1 }]);
  await caller.get("/v1/stores");
  expect(caller.ref.overrides.all()).toEqual([]);
});

test("`skip` skips the first requests that match and that no earlier override affected", async () => {
  const caller = new Caller();
  caller.ref.on("getStore", { path: { externalId: "S-2" } }).once({ status: 500 });
  caller.ref
    .on("getStore", { path: { externalId: "S-2" } })
    .once(outage)
    .skip(2);
  const seen = await statuses(caller, "S-1", "S-2", "S-2", "S-1", "S-2", "S-2", "S-2");
  expect(seen).toEqual([200, 500, 200, 200, 200, 503, 200]);
});

describe("`rate`", () => {
  const sequence = async (seed: number, rate: number, count = 200): Promise<number[]> => {
    const caller = new Caller({ seed });
    caller.ref.on("getStore").always(outage).rate(rate);
    return statuses(caller, ...Array.from({ length: count }, () => "S-1"));
  };

  test("applies an override with its probability, to requests that the seed decides", async () => {
    const found = await sequence(1, 0.25);
    const failed = found.filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(30);
    expect(failed).toBeLessThan(75);
    expect(await sequence(1, 0.25)).toEqual(found);
    expect(await sequence(2, 0.25)).not.toEqual(found);
    expect(new Set(await sequence(1, 0, 50))).toEqual(new Set([200]));
    expect(new Set(await sequence(1, 1, 50))).toEqual(new Set([503]));
  });

  test("leaves other requests to the next override, without counting them", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 500 });
    caller.ref.on("getStore").always(outage).rate(0.5).times(10);
    const found = await statuses(caller, ...Array.from({ length: 100 }, () => "S-1"));
    expect(found.filter((status) => status === 503)).toHaveLength(10);
    expect(found.filter((status) => status === 500)).toHaveLength(90);
  });
});

describe("`delay`", () => {
  const delays = (ref: ReferenceServer, count: number): number[] =>
    Array.from(
      { length: count },
      () => ref.respond({ base: "store", method: "GET", target: "/v1/stores" }).delay,
    );

  test("adds up, and is counted separately", () => {
    const { ref } = new Caller();
    ref.on("listStores").delay(30).times(2).once({ status: 500 });
    ref.on("listStores").delay(30).times(1);
    expect(delays(ref, 3)).toEqual([60, 30, 0]);
  });

  test("is distributed evenly between two bounds, and the same for the same seed", () => {
    const [found = [], again] = [createReferenceServer(), createReferenceServer()].map((ref) => {
      ref.on("listStores").delay({ min: 100, max: 200 });
      return delays(ref, 1_000).toSorted((one, other) => one - other);
    });
    expect(found[0]).toBeGreaterThanOrEqual(100);
    expect(found.at(-1)).toBeLessThanOrEqual(200);
    expect(found[500]).toBeGreaterThan(140);
    expect(found[500]).toBeLessThan(160);
    expect(again).toEqual(found);
  });
});

describe("the removal of overrides", () => {
  test("by `remove` affects only the override of the handle, and the earlier one applies again", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 500 });
    const handle = caller.ref.on("getStore").once({ status: 501 }).always({ status: 502 });
    handle.remove();
    handle.remove();
    expect(await statuses(caller, "S-1", "S-1")).toEqual([500, 500]);
    expect(handle.ids).toEqual([]);
    expect(caller.ref.overrides.all()).toHaveLength(1);
  });

  test("by a handle from before a reset has no effect", async () => {
    const caller = new Caller();
    const handle = caller.ref.on("getStore").always({ status: 500 });
    caller.ref.reset();
    caller.ref.on("getStore").always({ status: 501 });
    handle.remove();
    handle.times(1);
    expect(await statuses(caller, "S-1", "S-1")).toEqual([501, 501]);
  });
});

describe("the list of overrides", () => {
  test("has each one as it was declared, until it is removed", async () => {
    const caller = new Caller();
    const { ref } = caller;
    const [id = 0] = ref.on("getStore", { path: { externalId: "S-2" }, when: () => true }).once(outage).ids;
    ref.on("*").delay({ min: 1, max: 2 }).skip(3).rate(0.5);
    ref
      .on("putStore", { body: { name: "A" } })
      .fault("reset", { at: "after" })
      .times(2);
    ref.on("listStores").paging("cycle");
    ref.on("getContacts").change(() => undefined);
    const matcher = { path: { externalId: "S-2" }, when: true };
    expect(ref.overrides.all()).toEqual([
      { id, operation: "getStore", matcher, response: { status: 503 }, times: 1 },
      { id: id + 1, operation: "*", delay: { min: 1, max: 2 }, skip: 3, rate: 0.5 },
      {
        id: id + 2,
        operation: "putStore",
        matcher: { body: { name: "A" } },
        fault: "reset",
        at: "after",
        times: 2,
      },
      { id: id + 3, operation: "listStores", paging: "cycle" },
      { id: id + 4, operation: "getContacts", change: true },
    ]);
    await statuses(caller, "S-2");
    expect(ref.overrides.all()[0]).toMatchObject({ id: id + 1, skip: 2 });
    expect([ref.overrides.remove(id), ref.overrides.remove(id + 1)]).toEqual([false, true]);
    ref.overrides.clear();
    expect(ref.overrides.all()).toEqual([]);
    expect(ref.on("getStore").once(outage).ids[0]).toBeGreaterThan(id + 4);
  });
});

const refused: [act: (ref: ReferenceServer) => unknown, message: RegExp][] = [
  [(ref) => ref.on("getShop" as OperationId), /operation must be .* Did you mean "getStore"\?/],
  [(ref) => ref.on(undefined as never), /operation must be the ID of an operation/],
  [(ref) => ref.on("getStore").once({ status: 199 }), /override\.response\.status must be at least 200/],
  [
    (ref) => ref.on("getStore").once({ stats: 500 } as never),
    /response: unknown property "stats"\. Did you mean "status"\?/,
  ],
  [(ref) => ref.on("getStore").once(500 as never), /response must be an object/],
  [
    (ref) => ref.on("getStore").once({ headers: { "x own": "1" } }),
    /response\.headers\.x own must be the name of a header/,
  ],
  [
    (ref) => ref.on("getStore").once({}, { at: "later" as "after" }),
    /override\.at must be one of before, after/,
  ],
  [(ref) => ref.on("getStore").once({}, { when: "after" } as never), /override: unknown property "when"/],
  [
    (ref) => ref.on("getStore").delay({ min: 2, max: 1 }),
    /delay must be milliseconds from 0 to 2147483647, or/,
  ],
  [(ref) => ref.on("getStore").delay(1).rate(1.1), /override\.rate must be at most 1/],
  [(ref) => ref.on("getStore").fault("crash" as "reset"), /override\.fault must be one of reset, close/],
  [(ref) => ref.on("getStore").fault("reset", { at: "head" }), /only stall and truncate/],
  [(ref) => ref.on("getStore").times(1), /times must follow once/],
  [(ref) => ref.on("getStore").delay(1).times(0), /times must be a positive integer/],
  [(ref) => ref.on("getStore").paging("cycle"), /the operation is not a list/],
];
test.for(refused)("an override rejects an invalid value by name: case %#", ([act, message]) => {
  const ref = createReferenceServer();
  expect(() => act(ref)).toThrow(message);
});
