import { describe, expect, it } from "vitest";
import { ApiError, FleetApiError, ScopeError, ShelfleetError } from "../../../src/client/fleet/index.ts";
import { rejection, stubClient } from "./stub-client.ts";

const quick = { retry: 0 };

async function catchError(status: number, body: BodyInit | null): Promise<FleetApiError> {
  const { client } = stubClient(() => new Response(body, { status }), quick);
  const error = await rejection(client.damages.get("d-1"));
  expect(error).toBeInstanceOf(FleetApiError);
  return error as FleetApiError;
}

describe("a documented error (fleet 7)", () => {
  it.each([
    [401, "UNAUTHORIZED"],
    [404, "NOT_FOUND"],
  ])("%i has the code %s", async (status, code) => {
    const error = await catchError(
      status,
      JSON.stringify({ errors: [{ code, message: "m", details: { a: 1 } }] }),
    );
    expect(error).toMatchObject({
      name: "FleetApiError",
      status,
      code,
      errors: [{ code, message: "m", details: { a: 1 } }],
      method: "GET",
      route: "/damages/{id}",
      url: "https://fleet.example/api/third-party/v1/damages/d-1",
      attempts: 1,
      message: `GET /damages/{id}: ${status} ${code}: m`,
    });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(ShelfleetError);
  });

  it("may hold several errors", async () => {
    const errors = [
      { code: "A", message: "a" },
      { code: "B", message: "b" },
    ];
    const error = await catchError(400, JSON.stringify({ errors }));
    expect(error.code).toBe("A");
    expect(error.errors).toHaveLength(2);
    expect(error.message).toBe("GET /damages/{id}: 400 A: a; B: b");
  });
});

describe("an error with any body (gap errors.undocumented-bodies)", () => {
  const bodies: [body: string | null, code: string | undefined, words: string][] = [
    [null, undefined, "(no code)"],
    ["", undefined, "(no code)"],
    ["<html>Bad gateway</html>", undefined, "(no code)"],
    ["plain text", undefined, "(no code)"],
    ['{"errors":', undefined, "(no code)"],
    ["null", undefined, "(no code)"],
    ["5", undefined, "(no code)"],
    ['"text"', undefined, "(no code)"],
    ["[]", undefined, "(no code)"],
    ["{}", undefined, "(no code)"],
    ['{"errors":{}}', undefined, "(no code)"],
    ['{"errors":[]}', undefined, "(no code)"],
    ['{"errors":[null,5,[],{}]}', undefined, "(no code)"],
    ['{"errors":["went wrong"]}', undefined, "went wrong"],
    ['{"errors":[{"code":5,"message":{}}]}', undefined, "(no code)"],
    ['{"errors":[{"code":"BAD"}]}', "BAD", "BAD: "],
    ['{"errors":[{"message":"only words"}]}', undefined, "only words"],
    ['{"errors":[{"code":"BAD","message":"m","details":"x"}]}', "BAD", "BAD: m"],
    ['{"error":{"code":"OTHER","message":"style"}}', "OTHER", "OTHER: style"],
    ['{"error":"words"}', undefined, "words"],
    ['{"code":"FLAT","message":"body"}', "FLAT", "FLAT: body"],
    ['{"message":"gateway"}', undefined, "gateway"],
  ];

  it.each(bodies.flatMap((row) => [400, 403, 404, 500, 418].map((status) => [status, ...row] as const)))(
    "%i %j",
    async (status, body, code, words) => {
      const error = await catchError(status, body);
      expect(error.status).toBe(status);
      expect(error.code).toBe(code);
      expect(error.message).toContain(words);
      expect(error instanceof ScopeError).toBe(status === 403);
    },
  );

  it("keeps a long text at 64 KiB and the message readable", async () => {
    const error = await catchError(500, "x".repeat(1_000_000));
    expect(String(error.body).length).toBeLessThanOrEqual(64 * 1024);
    const listed = await catchError(
      400,
      JSON.stringify({
        errors: Array.from({ length: 5000 }, () => ({ code: "A", message: "b".repeat(150) })),
      }),
    );
    expect(listed.message.length).toBeLessThan(2100);
    expect(listed.errors).toHaveLength(5000);
  });
});
