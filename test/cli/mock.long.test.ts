import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { cli, Program, startMock } from "./program.ts";

const hex = "0123456789abcdef".repeat(4);
const json = { "content-type": "application/json" };

/** A file for the current test. */
function fileWith(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), "shelfleet-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "readings.json");
  writeFileSync(file, content);
  return file;
}

function post(url: string, body: unknown, token = "none"): Promise<Response> {
  const headers = { ...json, authorization: `Bearer ${token}` };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

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

describe("shelfleet", () => {
  it("prints its version, which is the package's", async () => {
    const program = new Program("--version");
    expect(await program.end()).toBe(0);
    const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    expect(program.stdout).toBe(`${(JSON.parse(file) as { version: string }).version}\n`);
  });

  it.each([[], ["--help"], ["mock", "--help"]])("prints its help for %j", async (...args: string[]) => {
    const program = new Program(...args);
    expect(await program.end()).toBe(0);
    expect(program.stdout).toMatch(/^Usage: shelfleet /);
    expect(program.stderr).toBe("");
  });
});

describe("shelfleet mock", () => {
  it("prints URLs, token and keys, then a line for each request without query or secret", async () => {
    const program = new Program("mock", "--port", "0");
    const introduction = await program.lines(6);
    const [storeUrl = "", token = "", fleetUrl = "", key = "", sandboxUrl = "", testKey = ""] =
      introduction.map((line) => line.slice(20));
    expect(introduction.map((line) => line.slice(0, 20).trim())).toEqual([
      "store API",
      "token",
      "fleet API",
      "key",
      "fleet API, sandbox",
      "key",
    ]);
    const calls: [string, string][] = [
      [`${storeUrl}/v1/stores/S-1?token=${token}`, token],
      [`${storeUrl}/v1/stores/${token}`, token],
      [`${storeUrl}/v1/stores/S-1`, "a-wrong-token"],
      [`${storeUrl}/v1/stores/a-wrong-token/%1b[31m`, "a-wrong-token"],
      [`${fleetUrl}/vehicles?limit=1`, key],
      [`${sandboxUrl}/vehicles`, testKey],
      [`${sandboxUrl}/vehicles`, key],
      [`${storeUrl}/v1/stores/another-api-key`, token],
      [`${storeUrl}/${"a".repeat(5_000)}`, token],
    ];
    for (const [url, secret] of calls) {
      const headers = { authorization: `Bearer ${secret}`, "x-api-key": "another-api-key" };
      await fetch(url, { headers }).then((response) => response.text());
    }
    const lines = (await program.lines(15)).slice(6);
    expect(lines.map((line) => line.replace(/ [\d.]+ ms$/, " … ms"))).toEqual([
      "GET /v1/stores/S-1 200 … ms",
      "GET /v1/stores/[redacted] 404 … ms",
      "GET /v1/stores/S-1 401 … ms",
      "GET /v1/stores/[redacted]/%1b[31m 404 … ms",
      "GET /api/third-party/v1/vehicles 200 … ms",
      "GET /sandbox/api/third-party/v1/vehicles 200 … ms",
      "GET /sandbox/api/third-party/v1/vehicles 401 … ms",
      "GET /v1/stores/[redacted] 404 … ms",
      `GET /${"a".repeat(3_999)}… 404 … ms`,
    ]);
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stderr).toBe("");
  });

  it("prints every line as JSON under --json, the first with URLs, token and keys", async () => {
    const key = `mine_${hex}`;
    const { program, start } = await startMock("--token", "my-own-token", "--key", key);
    expect(start).toMatchObject({ token: "my-own-token", keys: [{ key, environment: "production" }] });
    expect(start.keys[0]?.scopes).toHaveLength(13);
    expect(start.fleetUrl).toBe(`${start.storeUrl}/api/third-party/v1`);
    const response = await fetch(`${start.storeUrl}/v1/stores/my-own-token`, { method: "DELETE" });
    expect(response.status).toBe(404);
    const [, line = ""] = await program.lines(2);
    expect(JSON.parse(line)).toEqual({
      method: "DELETE",
      path: "/v1/stores/[redacted]",
      status: 404,
      ms: expect.any(Number) as number,
    });
  });

  it("serves the given amount of data, from the given seed, with a running clock if told to", async () => {
    const { start } = await startMock(
      "--stores",
      "3",
      "--protocols",
      "2",
      "--vehicles",
      "4",
      "--seed",
      "9",
      "--now",
      "system",
    );
    const headers = { authorization: `Bearer ${start.token}` };
    const get = async (path: string): Promise<unknown> =>
      (await fetch(start.storeUrl + path, { headers })).json();
    const { items } = (await get("/v1/stores")) as { items: { externalId: string }[] };
    expect(items).toHaveLength(3);
    const query = new URLSearchParams({
      from: new Date(Date.now() - 28 * 86_400_000).toISOString(),
      to: new Date().toISOString(),
    });
    const protocols = await get(`/v1/stores/${items[0]?.externalId}/protocols?${query}`);
    expect(protocols).toMatchObject({ items: [{}, {}], nextCursor: null });
    const vehicles = await fetch(`${start.fleetUrl}/vehicles`, {
      headers: { authorization: `Bearer ${start.keys[0]?.key}` },
    });
    expect(await vehicles.json()).toMatchObject({ meta: { pagination: { totalCount: 4 } } });
  });

  it("uses the readings of a file", async () => {
    const file = fileWith('{ "stores.omitted-fields": "reject" }');
    const { start } = await startMock("--readings", file);
    const headers = { ...json, authorization: `Bearer ${start.token}` };
    const response = await fetch(`${start.storeUrl}/v1/stores/S-1`, { method: "PUT", headers, body: "{}" });
    expect(response.status).toBe(400);
  });

  it("lets web pages call the APIs with --cors", async () => {
    const { start } = await startMock("--cors");
    const response = await fetch(`${start.storeUrl}/v1/stores`, { headers: { origin: "https://page.test" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("serves a control API below /__ref only with --control", async () => {
    const [plain, controlled] = await Promise.all([startMock(), startMock("--control")]);
    expect(plain.start.controlUrl).toBeUndefined();
    expect((await post(`${plain.start.storeUrl}/__ref/reset`, {})).status).toBe(404);
    const { controlUrl, controlToken, storeUrl } = controlled.start;
    expect(controlUrl).toBe(`${storeUrl}/__ref`);
    expect((await post(`${controlUrl}/reset`, {}, controlToken)).status).toBe(204);
    const [, line = ""] = await controlled.program.lines(2);
    expect(JSON.parse(line)).toMatchObject({ method: "POST", path: "/__ref/reset", status: 204 });
  });

  it("generates a new token, new keys and a new control token on every start", async () => {
    const [one, other] = await Promise.all([startMock("--control"), startMock("--control")]);
    const secretsOf = ({ start }: typeof one) => [
      start.token,
      start.controlToken,
      ...start.keys.map(({ key }) => key),
    ];
    expect(new Set([...secretsOf(one), ...secretsOf(other)]).size).toBe(8);
    expect(secretsOf(one).every((secret) => (secret?.length ?? 0) >= 32)).toBe(true);
  });

  it("takes the token of the control API from --control-token", async () => {
    const { start } = await startMock("--control", "--control-token", "chosen");
    expect(start.controlToken).toBe("chosen");
    expect((await post(`${start.controlUrl}/reset`, {}, "chosen")).status).toBe(204);
  });

  it("warns when other machines can connect", async () => {
    const { program, start } = await startMock("--host", "0.0.0.0", "--token", "chosen-token");
    expect(program.stderr).toBe(
      "shelfleet: warning: other machines can use this server, because it listens on 0.0.0.0\n",
    );
    const headers = { authorization: "Bearer chosen-token" };
    expect((await fetch(`${start.storeUrl}/v1/stores`, { headers })).status).toBe(200);
  });

  it.each([
    [["--host", "0.0.0.0"], "needs --token"],
    [["--host", "::"], "needs --token"],
    [["--host", "0.0.0.0", "--token", "chosen-token", "--control"], "--control needs --control-token"],
  ])("rejects %j, which lets other machines connect without a chosen secret", async (args, message) => {
    const program = new Program("mock", ...args);
    expect(await program.end()).toBe(2);
    expect(program.stderr).toContain(message);
  });

  it("responds to requests for the names of --allow-host and for no other name", async () => {
    const { start } = await startMock("--allow-host", "mock");
    const { port } = new URL(start.storeUrl);
    expect(await statusFor(Number(port), `mock:${port}`)).toBe(401);
    expect(await statusFor(Number(port), `localhost:${port}`)).toBe(401);
    expect(await statusFor(Number(port), "evil.example")).toBe(421);
  });

  it.each([
    [
      ["--key", "not-a-key-at-all"],
      "--key must have the form <prefix>_ or <prefix>_test_ followed by 64 hexadecimal digits",
    ],
    [["--token", "a b"], "--token must be a string of visible characters"],
    [["--now", "yesterday"], "--now: must be an ISO 8601 string"],
    [["--readings", "/no/such/file"], "--readings /no/such/file: no such file"],
    [["--readings", "{}"], "--readings {}: no such file; write the JSON to a file, and name it"],
    [["--host", "host.invalid", "--token", "chosen-token"], "host.invalid is not an address of this machine"],
    [["--port", "70000"], "--port must be an integer from 0 to 65535"],
    [["--nope"], "Unknown option '--nope'"],
  ])("rejects %j in one line", async (args, message) => {
    const program = new Program("mock", ...args);
    expect(await program.end()).toBeOneOf([1, 2]);
    expect(program.stderr).toMatch(/^shelfleet: [^\n]+\n$/);
    expect(program.stderr).toContain(message);
    expect(program.stderr).not.toMatch(/not-a-key-at-all|a b/);
    expect(program.stdout).toBe("");
  });

  it.each([
    ["{", "not JSON"],
    ["[]", "must be a JSON object"],
    ['{"stores.omitted-field": "keep"}', 'unknown gap "stores.omitted-field"'],
    [
      '{"stores.omitted-fields": "kept"}',
      'unknown reading "kept" of "stores.omitted-fields". Expected one of keep, reset, reject',
    ],
    ['{"stores.omitted-fields": null}', 'unknown reading "null" of "stores.omitted-fields"'],
  ])("rejects a file of readings with %j in one line", async (content, message) => {
    const program = new Program("mock", "--readings", fileWith(content));
    expect(await program.end()).toBe(1);
    expect(program.stderr).toMatch(/^shelfleet: --readings[^\n]+\n$/);
    expect(program.stderr).toContain(message);
  });

  it.each([
    [
      '{"token": "a b"}',
      '"token" in FILE must be a string of visible characters that a header can contain\n',
    ],
    ['{"key": "not-a-key-at-all"}', '"key" in FILE must have the form <prefix>_'],
  ])(
    "names the configuration file with the secret in %j, and does not quote the secret",
    async (content, message) => {
      const file = fileWith(content);
      const program = new Program("mock", "--config", file);
      expect(await program.end()).toBe(1);
      expect(program.stderr).toContain(`shelfleet: ${message.replace("FILE", file)}`);
      expect(program.stderr).not.toMatch(/not-a-key-at-all|a b/);
    },
  );

  it("names a file of readings that has the wrong form", async () => {
    const file = fileWith('{"version": 1, "readings": null}');
    const program = new Program("mock", "--readings", file);
    expect(await program.end()).toBe(1);
    expect(program.stderr).toContain(`--readings ${file}: unknown gap "version"`);
  });

  it("reports a port in use in one line", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as AddressInfo;
    const program = new Program("mock", "--port", String(port));
    expect(await program.end()).toBe(1);
    expect(program.stderr).toBe(
      `shelfleet: port ${port} of 127.0.0.1 is in use; choose another with --port\n`,
    );
  });
});

describe("shelfleet mock, after a signal,", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "exits with 0 on %s, also while a request stalls",
    async (signal) => {
      const { program, start } = await startMock("--control");
      await post(
        `${start.controlUrl}/overrides`,
        { operation: "getStore", fault: "stall" },
        start.controlToken,
      );
      const stalled = fetch(`${start.storeUrl}/v1/stores/S-1`).catch(() => "cut");
      await program.lines(3);
      expect(await program.end(signal)).toBe(0);
      expect(await stalled).toBe("cut");
      expect(program.stderr).toBe("");
      expect(program.stdout).toMatch(/"status":null,"fault":"stall"/);
    },
  );

  it("exits with 0 when the signal is repeated", async () => {
    const { program } = await startMock();
    program.child.kill("SIGINT");
    expect(await program.end("SIGINT")).toBe(0);
  });

  it("exits with 0 although the reader of its output has gone", async () => {
    const { program, start } = await startMock();
    program.child.stdout.destroy();
    for (let index = 0; index < 5; index++) {
      const response = await fetch(`${start.storeUrl}/v1/stores/S-1`);
      expect(response.status).toBe(401);
      await pause(10);
    }
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stderr).toBe("");
  });

  it("neither waits for the reader of its output, nor delays requests", async () => {
    const { program, start } = await startMock();
    program.child.stdout.pause();
    const long = "x".repeat(15_000);
    for (let index = 0; index < 200; index++) {
      const response = await fetch(`${start.storeUrl}/${long}`);
      expect(response.status).toBe(404);
      await response.text();
    }
    program.child.kill("SIGTERM");
    const code = await new Promise((resolve) => program.child.once("exit", resolve));
    expect(code).toBe(0);
  });
});

it.skipIf(process.platform !== "linux").each([["--version"], ["prove", "--help"]])(
  "%s with an output that cannot be written exits with 2",
  (...args) => {
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, [cli, ...args], {
      stdio: ["ignore", full, "pipe"],
    });
    expect([status, String(stderr)]).toEqual([2, "shelfleet: the output cannot be written (ENOSPC)\n"]);
  },
);

it("a terminal that was closed does not end a program that has still to restore data", () => {
  const output = new URL("../../src/cli/output.ts", import.meta.url);
  const lines = [
    `import { watchOutput } from ${JSON.stringify(output.href)};`,
    "watchOutput();",
    'process.stderr.emit("error", new Error("EIO"));',
    'console.log("restored");',
  ];
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", lines.join("\n")]);
  expect([status, String(stdout)]).toEqual([0, "restored\n"]);
});
