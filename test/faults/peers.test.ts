// Hostile peers against each part of the package: the clients over both transports, probe, compare, proxy and commands.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { findingLine } from "../../src/cli/proxy.ts";
import { toLine } from "../../src/cli/output.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { compare } from "../../src/field/compare/compare.ts";
import { LogFile } from "../../src/field/proxy/log/log-file.ts";
import { probe, shapesModule, toMarkdown } from "../../src/field/probe/index.ts";
import { StoreClient } from "../../src/index.ts";
import { proxyFor } from "../field/proxy/upstream.ts";
import { serveReference } from "../mock/node/served.ts";
import { keys, tokens } from "../secrets/forms.ts";
import { leakOf, observe } from "../secrets/observe.ts";
import { faultServer } from "./fault-server.ts";
import { page, type Peer, peersWith } from "./peers.ts";
import { startProgram } from "./program.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "peers-"));
writeFileSync(join(folder, "readings.json"), "{}");
afterAll(() => rmSync(folder, { recursive: true }));

const [token = ""] = tokens;
const peers = Object.entries(peersWith(token));

async function serve({ send }: Peer): Promise<string> {
  const respond = () => ({ status: 200, body: page });
  return (await faultServer({ respond, applies: () => true, sendFault: send })).origin;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command to its end. */
function run(args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, SHELFLEET_TOKEN: token };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => void (output += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

/** The output must neither show the token, nor contain a command for the terminal. */
function expectPlain(output: string): void {
  expect(leakOf([output], token)).toBe("");
  expect(output.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
}

describe.each(peers)("a peer that sends %s", (_, peer) => {
  it.each(["fetch", "node"])("has the same result over both transports: %s", async (kind) => {
    const baseUrl = await serve(peer);
    const transport = kind === "node" ? nodeTransport() : undefined;
    const timeout = peer.expected === "TimeoutError" ? 700 : 60_000; // a busy machine takes longer than the first
    let result = "data";
    const seen = await observe(async (options) => {
      const client = new StoreClient({ ...options, baseUrl, token, timeout, retry: 0, transport });
      const [first] = await client.stores.list().take(1);
      expect(first).toMatchObject({ externalId: "a" });
    });
    const errors = seen.filter((one) => one instanceof Error);
    if (errors.length > 0) result = errors[0]?.name.replace("StoreApiError", "ApiError") ?? "";
    expect(result).toBe(peer.expected);
    expect(result === "data" ? "" : leakOf(seen, token)).toBe("");
  });

  it("ends a probe and a comparison with a result or an error", async () => {
    const storeUrl = await serve(peer);
    const timing = { now: () => performance.now(), sleep: () => Promise.resolve(), retry: { limit: 0 } };
    const settings = { storeUrl, token, timeout: 500, rate: 1e6, maxRequests: 5 };
    const results = await Promise.allSettled([
      probe({ ...settings, timing } as never), // the type of the timer is internal
      compare({ ...settings, readings: {} }),
    ]);
    const names = results.map((result) =>
      result.status === "rejected" ? (result.reason as Error).name : "report",
    );
    for (const name of names) expect(["report", "ProbeServiceError", "ServiceError"]).toContain(name);
    const reports = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const texts = reports.flatMap((report) =>
      "shapes" in report ? [toMarkdown(report), shapesModule(report.shapes)] : [],
    );
    expect(leakOf([results, ...texts], token)).toBe("");
  });

  it("passes through the proxy, whose findings and log show no secret", async () => {
    const storeUrl = await serve(peer);
    const path = join(folder, `${Math.random()}.ndjson`);
    const log = new LogFile(path);
    const { origin, proxy, findings } = await proxyFor({ storeUrl, log });
    const headers = { authorization: `Bearer ${token}`, connection: "close" };
    for (const target of ["/v1/stores?limit=1", `/v1/${encodeURIComponent(token)}`])
      await fetch(origin + target, { headers, redirect: "manual", signal: AbortSignal.timeout(700) })
        .then((response) => response.text())
        .catch(() => {});
    const { exchanges } = await proxy.close();
    await log.end();
    expect(exchanges).toBeGreaterThan(0); // an endless response may keep the second request from the proxy
    expectPlain(findings.map((finding) => toLine(findingLine(finding, false))).join("\n"));
    const logged = readFileSync(path, "utf8");
    for (const line of logged.split("\n").filter((one) => one !== ""))
      expect(JSON.parse(line)).toHaveProperty("method", "GET");
    expect(leakOf([logged], token)).toBe("");
  });
});

describe.each(peers.filter(([name]) => /secrets in (an error|a response)|Retry|deep/.test(name)))(
  "the commands, against a peer that sends %s",
  (_, peer) => {
    it.each([
      ["probe", "--report", "report.md"],
      ["probe", "--json"],
      ["compare", "--readings", "readings.json"],
    ])("print no command for the terminal and no secret: %s %s", async (...args) => {
      const limits = ["--store-url", await serve(peer), "--max-requests", "3", "--rate", "1000"];
      const { code, output } = await run([...args, ...limits]);
      expect([0, 1, 3]).toContain(code);
      expect(output).not.toContain("unexpected error");
      expectPlain(output);
    });
  },
);

describe("requests to the reference server and through the proxy", () => {
  /** Sends bytes, and returns the status of the response. */
  function send(port: number, text: string, chunk?: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        if (chunk === undefined) return void socket.write(text);
        for (let at = 0; at < text.length; at += chunk) socket.write(text.slice(at, at + chunk));
      });
      let response = "";
      socket.on("data", (bytes) => (response += bytes.toString("latin1")));
      socket.on("error", reject);
      socket.on("close", () => resolve(response.split(" ", 2)[1] ?? ""));
    });
  }

  const body = JSON.stringify({ contacts: [{ name: "A", phone: "1" }] });
  const chunked = `${Array.from(body, (letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`;
  const nested = `{"contacts":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

  it.each([
    ["chunks of one byte", `Transfer-Encoding: chunked\r\n\r\n${chunked}`, 1, "200"],
    ["segments of one byte", `Content-Length: ${body.length}\r\n\r\n${body}`, 1, "200"],
    ["a deep body", `Content-Length: ${nested.length}\r\n\r\n${nested}`, undefined, "400"],
    [
      "a chunk extension of 20 kB",
      `Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}\r\n{\r\n`,
      undefined,
      "413",
    ],
  ])("with %s have the same result", async (_, rest, chunk, status) => {
    const { ref, storeUrl } = await serveReference({ store: { stores: 1 } });
    const { origin } = await proxyFor({ storeUrl });
    const head = `PUT /v1/stores/S-1/contacts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${ref.token}\r\nContent-Type: application/json\r\n`;
    for (const url of [storeUrl, origin])
      expect(await send(Number(new URL(url).port), head + rest, chunk)).toBe(status);
  });
});

it.each([...tokens, ...keys])(
  "the reference server prints %s once when it starts, and never again",
  async (secret) => {
    const flag = keys.includes(secret) ? "--key" : "--token";
    const program = await startProgram(["--json", "--control", "--port", "0", flag, secret]);
    const first = JSON.parse(program.lines[0] ?? "") as Record<string, string>;
    for (const form of [secret, Buffer.from(`user:${secret}`).toString("base64url")])
      for (const target of [
        `/v1/stores/${encodeURIComponent(form)}`,
        `/v1/stores?cursor=${encodeURIComponent(form)}`,
      ])
        await fetch(`${first["storeUrl"]}${target}`, { headers: { authorization: `Bearer ${secret}` } });
    const headers = { authorization: `Bearer ${first["controlToken"]}` };
    const journal = await (await fetch(`${first["controlUrl"]}/journal`, { headers })).text();
    await expect.poll(() => program.lines.length).toBeGreaterThan(4);
    expect(leakOf([program.lines.slice(1).join("\n") + program.errors() + journal], secret)).toBe("");
  },
);
