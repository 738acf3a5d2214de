import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LogFile } from "../../../src/field/proxy/log/log-file.ts";
import { exchange, proxyFor, rawService } from "./upstream.ts";

const folder = mkdtempSync(join(tmpdir(), "proxy-attacks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const words = "correct-horse-battery";

/** Sends one request through a proxy; returns its findings and the lines of its log. */
async function observe(target: string, headers: readonly string[], body = "{}") {
  const path = join(folder, `${Math.random()}.ndjson`);
  const log = new LogFile(path);
  const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { origin, proxy, findings } = await proxyFor({ storeUrl: await rawService(() => response), log });
  const head = [`GET ${target} HTTP/1.1`, "Host: localhost", ...headers, "Connection: close"];
  await exchange(origin, `${head.join("\r\n")}\r\n\r\n`);
  await proxy.close();
  await log.end();
  return { findings: JSON.stringify(findings), log: readFileSync(path, "utf8") };
}

describe("a secret of a request", () => {
  it.each([
    ["a path", `/v1/${words}`, "{}"],
    ["the name of a parameter", `/v1/stores?${words}=1`, "{}"],
    ["the name of a property", "/v1/stores/S", `{"${words}":1}`],
    ["a value", "/v1/stores/S", `{"storeId":"${words}"}`],
  ])("is in no finding and no line of the log if it is %s", async (_, target, body) => {
    const seen = await observe(target, [`Authorization: Bearer ${words}`], body);
    expect(seen.findings.length + seen.log.length).toBeGreaterThan(200);
    expect(seen.findings + seen.log).not.toContain(words);
  });

  it("is known if the header is sent twice", async () => {
    const headers = [`X-Api-Key: another-key-0123`, `X-Api-Key: ${words}`];
    const { log } = await observe("/v1/stores/S", headers, `{"storeId":"${words}"}`);
    expect(log).toContain("getStore");
    expect(log).not.toContain(words);
  });

  it("that looks like JSON leaves each line of the log JSON", async () => {
    const { log } = await observe("/v1/stores/S", ['Cookie: a="method":"GET","url":"http']);
    expect(JSON.parse(log)).toMatchObject({ method: "GET", status: 200 });
  });
});
