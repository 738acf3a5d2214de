import { describe, expect, it } from "vitest";
import type { FleetApiError, ScopeError } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { rejection, stubClient } from "./stub-client.ts";

async function errorOf(status: number, body: unknown): Promise<FleetApiError> {
  const { client } = stubClient(() => json(body, { status }), { retry: 0 });
  return (await rejection(client.damages.get("d-1"))) as FleetApiError;
}

describe("the parsed part of an error", () => {
  it.each([
    ["text", []],
    [[{ code: "A" }], []],
    [{ errors: [null, 5, [], {}, { code: "", message: "" }, { details: {} }] }, []],
    [{ errors: [{ code: "A", message: "" }] }, [{ code: "A", message: undefined, details: undefined }]],
    [{ errors: [{ code: "", message: "m" }] }, [{ code: undefined, message: "m", details: undefined }]],
    [{ errors: ["words"] }, [{ code: undefined, message: "words", details: undefined }]],
    [
      { errors: [{ code: "A", message: "m", details: [] }] },
      [{ code: "A", message: "m", details: undefined }],
    ],
  ])("%j", async (body, errors) => {
    expect((await errorOf(400, body)).errors).toEqual(errors);
  });
});

describe("the message of an error", () => {
  it.each([
    [401, {}, "401 (no code): the key is missing, malformed, expired or revoked"],
    [404, {}, "404 (no code): the resource does not exist"],
    [500, {}, "500 (no code): without a body that the contract describes"],
    [404, { errors: [{ code: "NOT_FOUND" }] }, "404 NOT_FOUND: the resource does not exist"],
    [400, { errors: [{ message: "m" }] }, "400 (no code): m"],
    [400, { errors: [{ code: "A" }] }, "400 A: without a body that the contract describes"],
  ])("with status %i and body %j", async (status, body, message) => {
    expect((await errorOf(status, body)).message).toBe(`GET /damages/{id}: ${message}`);
  });

  it("names five errors at most", async () => {
    const errors = ["A", "B", "C", "D", "E", "F"].map((code) => ({ code, message: "m" }));
    expect((await errorOf(400, { errors })).message).toBe(
      "GET /damages/{id}: 400 A: m; B: m; C: m; D: m; E: m",
    );
  });

  it("quotes 2 000 characters of the server at most", async () => {
    const error = await errorOf(400, { errors: [{ code: "A", message: "m".repeat(5000) }] });
    expect(error.message).toBe(`GET /damages/{id}: 400 A: ${"m".repeat(1997)}`);
    expect(error.errors[0]?.message).toHaveLength(5000);
  });
});

describe("the message of a ScopeError", () => {
  const scopes = Array.from({ length: 11 }, (_, at) => `s-${at}:read`);

  async function catchRefusal(required: string[], available: string[]): Promise<ScopeError> {
    return (await errorOf(403, {
      errors: [{ message: "m", details: { required, available } }],
    })) as ScopeError;
  }

  it.each([
    [["damages:read"], ["damages:read"], "403 (no code): m"],
    [["damages:read", "x"], ["x"], "403 (no code): m (missing damages:read)"],
    [["damages:read", "x", "y"], ["x"], "403 (no code): m (missing damages:read, y)"],
    [["damages:read", "vehicles:read"], [], "403 (no code): m (missing damages:read or vehicles:read)"],
    [scopes, [], `403 (no code): m (missing ${scopes.slice(0, 9).join(" or ")})`],
  ])("where %j are asked for and %j are there", async (required, available, message) => {
    expect((await catchRefusal(required, available)).message).toBe(`GET /damages/{id}: ${message}`);
  });

  it("says as well that an earlier attempt may have been processed", async () => {
    const details = { required: ["damages:write"], available: [] };
    let sent = 0;
    const { client } = stubClient(
      () => {
        sent += 1;
        if (sent === 1) throw new TypeError("fetch failed");
        return json({ errors: [{ details }] }, { status: 403 });
      },
      { retry: { maxDelay: 1 } },
    );
    const error = await rejection(client.vehicleGroups.update("g-1", { name: "A" }));
    expect((error as Error).message).toMatch(/\(missing damages:write; sent 2 times; an earlier attempt/);
  });

  it("requests all of several scopes if the contract's table and text agree", async () => {
    const details = { required: ["damages:write", "x"], available: [] };
    const { client } = stubClient(() => json({ errors: [{ details }] }, { status: 403 }));
    const error = (await rejection(client.damages.create({}))) as ScopeError;
    expect(error).toMatchObject({ missing: ["damages:write", "x"], anyOf: [] });
    expect(error.explanation).toContain("a new key that has damages:write and x as well.");
  });
});
