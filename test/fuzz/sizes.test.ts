import { expect, test } from "vitest";
import { parseRetryAfter } from "../../src/wire/retry-after.ts";
import { environmentOf } from "../../src/client/fleet/keys.ts";
import { FleetClient, ShelfleetError, StoreClient } from "../../src/index.ts";

const million = 1_000_000;
const many = 30_000;
const key = `acme_${"0123456789abcdef".repeat(4)}`;
const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

/** Bodies that are cheap to send and expensive to read. */
const bodies: Record<string, string> = {
  "50 000 arrays in each other": nested("[", "]", 50_000),
  "50 000 objects in each other": `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  "a deep item": `{"items":[${nested("[", "]", 50_000)}],"data":[${nested("[", "]", 50_000)}],"nextCursor":"a"}`,
  "a deep error": `{"error":{"code":"x","message":"y","issues":${nested("[", "]", 50_000)}},"errors":[{"details":${nested("[", "]", 50_000)}}]}`,
  "many issues": JSON.stringify({
    error: { message: "", issues: Array.from({ length: many }, () => ({ path: "a", message: "b" })) },
  }),
  "many scopes": JSON.stringify({
    errors: [{ details: { required: Array.from({ length: many }, (_, at) => `s${at}`) } }],
  }),
  "a long text": `"${"x".repeat(3 * million)}"`,
  "a long number": "9".repeat(million),
  "many names": `{${Array.from({ length: many }, (_, at) => `"n${at}":1`).join(",")}}`,
  "three million blanks": " ".repeat(3 * million),
  "a million brackets": "<".repeat(million),
  "a million backslashes": "\\".repeat(million),
  "more issues than fit on a stack": `{"items":[${"{},".repeat(150_000)}{}],"data":[],"nextCursor":null}`,
};

test.each(Object.entries(bodies))("%s ends in a response or a documented error", async (_, body) => {
  const outcomes: unknown[] = [];
  for (const status of [200, 400, 403]) {
    const fetch = async (): Promise<Response> => new Response(body, { status });
    const shared = { baseUrl: "https://x.example", fetch, retry: 0 };
    for (const validate of ["envelope", "full"] as const) {
      const store = new StoreClient({ ...shared, token: "some-token", validate });
      const fleet = new FleetClient({
        ...shared,
        baseUrl: `${shared.baseUrl}/api/third-party/v1`,
        key,
        validate,
      });
      const range = { from: new Date(0), to: new Date(1) };
      const calls = [
        store.stores.get("S"),
        store.stores.list().take(3),
        store.protocols.list("S", range).take(3),
        fleet.vehicles.list().take(3),
        fleet.damages.get("d"),
      ];
      const settled = await Promise.allSettled(calls);
      for (const one of settled) if (one.status === "rejected") outcomes.push(one.reason);
    }
  }
  expect(outcomes.filter((error) => !(error instanceof ShelfleetError))).toEqual([]);
  expect(outcomes.filter((error) => (error as Error).message.length > 8000)).toEqual([]);
});

test("headers and keys of any length are read or rejected", () => {
  for (const text of ["9", " ", "Thu, ", "a_", "_", "test_", "0"].map((one) => one.repeat(million))) {
    parseRetryAfter(text, 0);
    expect(() => environmentOf(text, undefined)).toThrow(ShelfleetError);
    expect(() => environmentOf(`a${text}${"0".repeat(63)}`, "a")).toThrow(ShelfleetError);
  }
});
