import { describe, expect, it } from "vitest";
import { startControlled } from "./control-server.ts";

const rename = { method: "PUT", body: '{"name":"New"}' };

describe("the journal of the control API", () => {
  it("contains requests and responses with headers and bodies, but not those of the control API", async () => {
    const client = await startControlled();
    await client.store("/v1/stores/S-1", client.ref.token, rename);
    await client.get("/health");
    expect((await client.get("/journal")).body).toMatchObject({
      requests: [
        {
          operation: "putStore",
          headers: { authorization: "[redacted]", "content-type": "application/json" },
          body: { name: "New" },
          status: 200,
          response: { status: 200, headers: { "content-type": "application/json" }, body: { name: "New" } },
        },
      ],
    });
  });

  it("is filtered by operation and status, and limited in length", async () => {
    const client = await startControlled();
    for (const path of [
      "/v1/stores",
      "/v1/stores/S-1",
      "/v1/stores/S-9999",
      "/v1/stores?limit=0",
      "/elsewhere",
    ])
      await client.store(path);
    const list = async (query: string): Promise<string[]> => {
      const { requests, violations } = (await client.get(`/journal${query}`)).body as Record<
        string,
        { path: string }[]
      >;
      return [...(requests ?? []).map(({ path }) => path), `violations: ${violations?.length}`];
    };
    expect(await list("")).toHaveLength(6);
    expect(await list("?operation=getStore")).toEqual([
      "/v1/stores/S-1",
      "/v1/stores/S-9999",
      "violations: 0",
    ]);
    expect(await list("?status=400")).toEqual(["/v1/stores", "violations: 1"]);
    expect(await list("?operation=getStore&status=404")).toEqual(["/v1/stores/S-9999", "violations: 0"]);
    expect(await list("?operation=getStore&last=1")).toEqual(["/v1/stores/S-9999", "violations: 0"]);
    expect(await list("?operation=*&last=1")).toEqual(["/v1/stores", "violations: 1"]);
  });

  it.each([
    ["?operation=getShop", 'Unknown operation "getShop"'],
    ["?status=ok", "status must be a positive integer"],
    ["?last=0", "last must be a positive integer"],
    ["?last=1&last=2", 'The query parameter "last" is given twice'],
    ["?method=GET", 'Unknown query parameter "method". Expected operation, status, last'],
  ])("rejects the filter %s", async (query, message) => {
    const client = await startControlled();
    const { status, body } = await client.get(`/journal${query}`);
    expect([status, (body as { error: string }).error]).toEqual([400, expect.stringContaining(message)]);
  });

  it("finds requests by path, query, headers, body and status", async () => {
    const client = await startControlled();
    await client.store("/v1/stores/S-1", client.ref.token, rename);
    await client.store("/v1/stores/S-2", client.ref.token, rename);
    await client.store("/v1/stores?limit=3");
    const find = async (matcher: object): Promise<number> => {
      const { requests } = (await client.post("/journal/find", matcher)).body as { requests: unknown[] };
      return requests.length;
    };
    expect(await find({})).toBe(3);
    expect(await find({ operation: "putStore" })).toBe(2);
    expect(await find({ path: { externalId: "S-2" } })).toBe(1);
    expect(await find({ query: { limit: 3 } })).toBe(1);
    expect(await find({ headers: { "content-type": "application/json" }, status: 200 })).toBe(3);
    expect(await find({ body: { name: "New" } })).toBe(2);
    expect(await find({ status: 404 })).toBe(0);
  });

  it("confirms an expectation, or reports how the nearest request differs", async () => {
    const client = await startControlled();
    await client.store("/v1/stores/S-1", client.ref.token, rename);
    const expected = { operation: "putStore", path: { externalId: "S-1" } };
    expect((await client.post("/journal/expect", { ...expected, times: 1 })).body).toMatchObject({
      requests: [{ path: "/v1/stores/S-1" }],
    });
    expect((await client.post("/journal/expect", expected)).status).toBe(200);
    expect((await client.post("/journal/expect", { operation: "getStore", times: 0 })).status).toBe(200);
    const { status, body } = await client.post("/journal/expect", {
      ...expected,
      path: { externalId: "S-2" },
    });
    expect(status).toBe(409);
    expect((body as { error: string }).error).toContain('path.externalId: expected "S-2", received "S-1"');
    expect((await client.post("/journal/expect", { ...expected, times: 2 })).status).toBe(409);
  });

  it("is empty after it is cleared, and overrides stay", async () => {
    const client = await startControlled();
    await client.post("/overrides", { operation: "listStores", response: { status: 500 } });
    await client.store("/v1/stores/S-1");
    expect((await client.delete("/journal")).status).toBe(204);
    expect((await client.get("/journal")).body).toEqual({ requests: [], violations: [] });
    expect((await client.get("/overrides")).body).toMatchObject({ overrides: [{}] });
  });
});
