import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { compareStores } from "./compared.ts";

type Json = Record<string, unknown>;

/** Compares a service whose stores have a further property, in the list only or also in their details. */
async function compareWith(allow: readonly string[], isListOnly: boolean): Promise<string[]> {
  const ref = createReferenceServer({ store: { stores: 2 } });
  const { differences } = await compareStores(ref, {
    allow,
    fetch: async (input, init) => {
      const response = await ref.fetch(input, init);
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      const isDetail = /^\/v1\/stores\/[^/]+$/.test(pathname);
      if (!response.ok || !(pathname === "/v1/stores" || (isDetail && !isListOnly))) return response;
      const body = (await response.json()) as Json;
      const items = body["items"] as Json[] | undefined;
      const changed = items?.map((row) => ({ ...row, addedLater: 1 }));
      return Response.json(changed === undefined ? { ...body, addedLater: 1 } : { ...body, items: changed });
    },
  });
  return differences.map(({ operation, place }) => `${operation} ${place}`);
}

describe("compare", () => {
  it("reports a property that only lists have, because the twin merges lists and details", async () => {
    expect(await compareWith([], true)).toEqual(["getStore /addedLater"]);
  });

  it.each([true, false])("accepts an allowed property (only in lists: %s)", async (isListOnly) => {
    expect(await compareWith(["addedLater"], isListOnly)).toEqual([]);
  });

  /** Compares a service that responds with 429 from a request on. */
  async function compareLimited(first: number) {
    const ref = createReferenceServer({ store: { stores: 2 } });
    let requests = 0;
    const fetch: typeof ref.fetch = async (input, init) => {
      requests += 1;
      if (requests < first) return ref.fetch(input, init);
      return new Response(null, { status: 429, headers: { "retry-after": "0" } });
    };
    return compareStores(ref, { fetch });
  }

  it("ends after six responses with status 429 in a row", async () => {
    const { requests, incomplete } = await compareLimited(100);
    expect(requests).toBe(105);
    expect(incomplete).toEqual([
      "the comparison, after 105 requests; it limits the rate of requests",
      "/v1/stores/S-1/protocols: status 429",
      "/v1/stores/S-1/photos: status 429",
    ]);
    await expect(compareLimited(2)).rejects.toThrow("with 7 requests; it limits the rate of requests");
  });

  it("reports the differences up to a lost connection", async () => {
    const ref = createReferenceServer({ store: { stores: 2 } });
    let requests = 0;
    const fetch: typeof ref.fetch = async (input, init) => {
      requests += 1;
      if (requests > 60) throw new TypeError("fetch failed");
      const response = await ref.fetch(input, init);
      if (!response.ok || requests < 40) return response;
      return Response.json({ ...((await response.json()) as Json), addedLater: 1 });
    };
    const report = await compareStores(ref, { fetch });
    expect(report.differences).not.toEqual([]);
    expect(report.unavailable).toContain("no response");
    expect(report.incomplete).toEqual([
      `the comparison, after ${report.requests} requests; ${report.unavailable}`,
    ]);
  });

  it("names what only the comparison reads, and the service fails to return", async () => {
    const ref = createReferenceServer({ store: { stores: 1 } });
    const fetch: typeof ref.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      return pathname === "/v1/fill-rate" ? new Response(null, { status: 501 }) : ref.fetch(input, init);
    };
    const { differences, incomplete } = await compareStores(ref, { fetch });
    expect(differences).toEqual([]);
    expect(incomplete).toEqual(["/v1/fill-rate: status 501"]);
  });

  it.each([
    ["refuses", 403, "application/json"],
    ["does not have", 404, "text/plain"],
    ["hides behind a page", 200, "text/html"],
  ])("names a list of the fleet API that the service %s", async (_, status, type) => {
    const ref = createReferenceServer({ fleet: { vehicles: 2, damages: 1 } });
    const [key] = ref.keys;
    const fetch: typeof ref.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (!pathname.endsWith("/damages")) return ref.fetch(input, init);
      return new Response("<p>", { status, headers: { "content-type": type } });
    };
    const urls = { storeUrl: undefined, fleetUrl: ref.fleetUrl, key: key?.key };
    const { differences, incomplete } = await compareStores(ref, { ...urls, fetch });
    expect(differences.filter(({ operation }) => operation === "listDamages")).toEqual([]);
    expect(incomplete).toEqual([`/damages: no list, status ${status}`]);
  });

  it("names a store that violates the contract, and is not compared", async () => {
    const ref = createReferenceServer({ store: { stores: 1 } });
    const fetch: typeof ref.fetch = async (input, init) => {
      const response = await ref.fetch(input, init);
      return new Response(
        (await response.text()).replaceAll('"onboardingComplete":', '"isComplete":'),
        response,
      );
    };
    const { incomplete } = await compareStores(ref, { fetch });
    expect(incomplete).toContain('store "S-1": onboardingComplete invalid');
  });
});
