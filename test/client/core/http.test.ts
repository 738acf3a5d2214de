import { expect, it, vi } from "vitest";
import { byId, createSmallApi, json, route, store, stubFetch } from "./small-api.ts";

/** What openapi-fetch has returned for each call. */
const returned: { data?: unknown; response: unknown }[] = [];

vi.mock(import("openapi-fetch"), async (importOriginal) => {
  const original = await importOriginal();
  const createClient = (options: object): object => {
    const client = original.default(options) as unknown as Record<string, (...args: unknown[]) => unknown>;
    const request = async (...args: unknown[]): Promise<unknown> => {
      const result = (await client["request"]?.(...args)) as (typeof returned)[number];
      returned.push(result);
      return result;
    };
    return { ...client, request };
  };
  return { ...original, default: createClient as never };
});

it("openapi-fetch gets a response of the platform, with the status and without the body, which was read", async () => {
  const { fetch } = stubFetch(json(store, 201));
  const { http } = createSmallApi({ fetch });
  const { data } = await http.PUT(route, { ...byId, body: { name: "A" } });
  expect(data).toEqual(store);
  const [{ data: seen, response } = { response: undefined }] = returned;
  expect(response).toBeInstanceOf(Response);
  expect(response).toMatchObject({ status: 201, body: null });
  expect(seen).toBeNull();
});

it("a call ends with its result where the platform has no `Response`, as in jsdom", async () => {
  const double = { status: 200, headers: { get: () => null }, json: async () => store };
  const { http } = createSmallApi({ fetch: async () => double });
  vi.stubGlobal("Response", undefined);
  try {
    const { data, response } = await http.GET(route, byId);
    expect([data, response.status]).toEqual([store, 200]);
  } finally {
    vi.unstubAllGlobals();
  }
});
