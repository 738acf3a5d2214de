import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.ts";
import { type FirstLine, Program, startMock } from "./program.ts";

const hex = "0123456789abcdef".repeat(4);

/** The status of a request with a given header `Host`, which `fetch` does not allow. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: "/v1/stores", headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once("error", reject).end();
  });
}

function get(url: string, secret: string | undefined): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${secret}` } });
}

async function reset({ controlUrl, storeUrl, controlToken }: FirstLine): Promise<number> {
  const headers = { authorization: `Bearer ${controlToken}` };
  return (await fetch(`${controlUrl ?? `${storeUrl}/__ref`}/reset`, { method: "POST", headers })).status;
}

describe("shelfleet mock", () => {
  it("prints URLs, token and keys, then a line for each request without query or secret", async () => {
    const program = new Program(["mock", "--port", "0"]);
    const introduction = await program.lines(9);
    const values = introduction.map((line) => line.slice(20));
    const [storeUrl = "", fleetUrl = "", sandboxUrl = "", token = "", key = "", testKey = ""] = values;
    const calls: [string, string][] = [
      [`${storeUrl}/v1/stores/S-1?token=${token}`, token],
      [`${storeUrl}/v1/stores/${token}`, token],
      [`${storeUrl}/v1/stores/${token}/%1b[31m`, "a-wrong-token"],
      [`${fleetUrl}/vehicles?limit=1`, key],
      [`${sandboxUrl}/vehicles`, testKey],
      [`${sandboxUrl}/vehicles`, key],
      [`${storeUrl}/${"a".repeat(5_000)}`, token],
    ];
    for (const [url, secret] of calls) await get(url, secret).then((response) => response.text());
    const lines = (await program.lines(16)).slice(9);
    expect(lines.map((line) => line.replace(/ [\d.]+ ms(?:, violates .*)?$/, ""))).toEqual([
      "GET /v1/stores/S-1 200",
      "GET /v1/stores/[redacted] 404",
      "GET /v1/stores/[redacted]/%1b[31m 404",
      "GET /api/third-party/v1/vehicles 200",
      "GET /sandbox/api/third-party/v1/vehicles 200",
      "GET /sandbox/api/third-party/v1/vehicles 401",
      `GET /${"a".repeat(3_999)}… 404`,
    ]);
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stderr).toBe("");
  });

  it("prints lines that set the variables of the clients in a shell", async () => {
    const args = ["--token", "it's-$HOME", "--key", `mine_${hex}`, "--key", `mine_test_${hex}`];
    const lines = await new Program(["mock", "--port", "0", ...args]).lines(9);
    const names = ["STORE_URL", "TOKEN", "FLEET_URL", "SANDBOX_URL", "KEY"];
    const print = `printf '%s\n' ${names.map((name) => `"$SHELFLEET_${name}"`).join(" ")}`;
    const { stdout } = spawnSync("sh", ["-c", [...lines.slice(6), print].join("\n")], { encoding: "utf8" });
    const [storeUrl, fleetUrl, sandboxUrl] = lines.map((line) => line.slice(20));
    expect(stdout.trim().split("\n")).toEqual([storeUrl, "it's-$HOME", fleetUrl, sandboxUrl, `mine_${hex}`]);
  });

  it("prints every line as JSON under --json, and no line for a request under --quiet", async () => {
    const key = `mine_${hex}`;
    const [loud, quiet] = await Promise.all([
      startMock("--token", "my-own-token", "--key", key),
      startMock("--quiet"),
    ]);
    expect(loud.start).toMatchObject({ token: "my-own-token", keys: [{ key, environment: "production" }] });
    for (const { start } of [loud, quiet])
      await fetch(`${start.storeUrl}/v1/stores/my-own-token`, { method: "DELETE" });
    const [, line = ""] = await loud.program.lines(2);
    const ms = expect.any(Number) as number;
    const violation = "This path supports only GET, PUT, not DELETE";
    const path = "/v1/stores/[redacted]";
    expect(JSON.parse(line)).toEqual({ method: "DELETE", path, status: 404, violation, ms });
    expect(await quiet.program.end("SIGTERM")).toBe(0);
    expect(quiet.program.stdout.trim().split("\n")).toHaveLength(1);
  });

  it("generates the data, and has the readings, that its flags name", async () => {
    const { readings = "" } = folderWith({ readings: '{ "stores.omitted-fields": "reject" }' });
    const data = ["--stores", "3", "--vehicles", "4", "--seed", "9", "--readings", readings];
    const { start } = await startMock(...data, "--cors");
    const stores = await get(`${start.storeUrl}/v1/stores`, start.token);
    expect(((await stores.json()) as { items: unknown[] }).items).toHaveLength(3);
    expect(stores.headers.get("access-control-allow-origin")).toBe("*");
    const vehicles = await get(`${start.fleetUrl}/vehicles`, start.keys[0]?.key);
    expect(await vehicles.json()).toMatchObject({ meta: { pagination: { totalCount: 4 } } });
    const headers = { authorization: `Bearer ${start.token}`, "content-type": "application/json" };
    const put = await fetch(`${start.storeUrl}/v1/stores/S-1`, { method: "PUT", headers, body: "{}" });
    expect(put.status).toBe(400);
  });

  it("has the clock of the machine, and a fixed one with --now", async () => {
    const clockOf = async ({ controlUrl, controlToken }: FirstLine) =>
      ((await (await get(`${controlUrl}/clock`, controlToken)).json()) as { now: string }).now;
    const [running, fixed] = await Promise.all([
      startMock("--control"),
      startMock("--control", "--now", "2026-02-03T04:05:06Z"),
    ]);
    expect(Math.abs(Date.parse(await clockOf(running.start)) - Date.now())).toBeLessThan(3_600_000);
    expect(await clockOf(fixed.start)).toBe("2026-02-03T04:05:06.000Z");
    const [from, to] = [new Date(Date.now() - 30 * 86_400_000).toISOString(), new Date().toISOString()];
    const protocols = `${running.start.storeUrl}/v1/stores/S-1/protocols?from=${from}&to=${to}`;
    const { items } = (await (await get(protocols, running.start.token)).json()) as { items: unknown[] };
    expect(items.length).toBeGreaterThanOrEqual(3);
  });

  it("names how a request violates the contract", async () => {
    const { program, start } = await startMock("--token", "chosen-token");
    const headers = { authorization: "Bearer chosen-token", "content-type": "application/json" };
    const url = `${start.storeUrl}/v1/stores/S-1`;
    await fetch(url, { method: "PUT", headers, body: '{"naem":"A"}' });
    const [, line = ""] = await program.lines(2);
    const violation = expect.stringMatching(/^naem: .*Did you mean "name"/) as string;
    expect(JSON.parse(line)).toMatchObject({ method: "PUT", status: 200, violation });
  });

  it("serves a control API below /__ref only with --control, and its health always", async () => {
    const [plain, controlled] = await Promise.all([
      startMock(),
      startMock("--control", "--control-token", "chosen"),
    ]);
    expect(await reset(plain.start)).toBe(404);
    expect((await fetch(`${plain.start.storeUrl}/__ref/health`)).status).toBe(200);
    expect(controlled.start.controlToken).toBe("chosen");
    // no line for it: the next one is that of the reset
    expect((await fetch(`${controlled.start.storeUrl}/__ref/health`)).status).toBe(200);
    expect(await reset(controlled.start)).toBe(204);
    const [, line = ""] = await controlled.program.lines(2);
    expect(JSON.parse(line)).toMatchObject({ method: "POST", path: "/__ref/reset", status: 204 });
  });

  it("generates a new token, new keys and a new control token on every start", async () => {
    const starts = await Promise.all([startMock("--control"), startMock("--control")]);
    const secrets = starts.flatMap(({ start }) => [
      start.token,
      start.controlToken,
      ...start.keys.map(({ key }) => key),
    ]);
    expect(new Set(secrets.filter((secret) => (secret?.length ?? 0) >= 32)).size).toBe(8);
  });

  it("does not take its secrets from the variables of the clients", async () => {
    const env = { SHELFLEET_TOKEN: "token-of-a-client", SHELFLEET_KEY: "key-of-a-client" };
    const [line = ""] = await new Program(["mock", "--port", "0", "--json"], env).lines(1);
    expect(line).not.toContain("of-a-client");
  });

  it("responds to requests for the names of --allow-host and for no other name", async () => {
    const { start } = await startMock("--allow-host", "mock");
    const port = Number(new URL(start.storeUrl).port);
    expect(await statusFor(port, `mock:${port}`)).toBe(401);
    expect(await statusFor(port, "evil.example")).toBe(421);
  });

  it("warns when other machines can connect", async () => {
    const { program } = await startMock("--host", "0.0.0.0", "--token", "chosen-token");
    expect(program.stderr).toMatch(/^shelfleet: warning: other machines can use this server.*0\.0\.0\.0\n$/);
  });
});
