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
async function observe(target: string, headers: readonly string[], body = "{}", responseHeaders = "") {
  const path = join(folder, `${Math.random()}.ndjson`);
  const log = new LogFile(path);
  const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${responseHeaders}Content-Length: ${body.length}\r\n\r\n${body}`;
  const { origin, proxy, findings } = await proxyFor({ storeUrl: await rawService(() => response), log });
  const head = [`GET ${target} HTTP/1.1`, "Host: localhost", ...headers, "Connection: close"];
  const received = await exchange(origin, `${head.join("\r\n")}\r\n\r\n`);
  await proxy.close();
  await log.end();
  return { received, findings: JSON.stringify(findings), log: readFileSync(path, "utf8") };
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

  it.each([
    "X-Auth-Token: ",
    "PRIVATE-TOKEN: ",
    "Ocp-Apim-Subscription-Key: ",
    "X-Client-Secret: ",
    "X-Jwt-Assertion: ",
    "X-Passphrase: ",
    `Authorization: Basic ${btoa(`${words}:`)}`,
  ])("is known from %s", async (header) => {
    const line = header.endsWith(" ") ? header + words : header;
    const { log } = await observe("/v1/stores/S", [line], `{"storeId":"${words}"}`);
    expect(log).toContain("getStore");
    expect(log).not.toContain(words);
  });

  it.each([`Set-Cookie: session=${words}; Path=/; Secure`, `X-Auth-Token: ${words}`, `X-Session: ${words}`])(
    "is known from a header of the service: %s",
    async (header) => {
      const { log } = await observe("/v1/stores/Secure", [], `{"storeId":"${words}"}`, `${header}\r\n`);
      expect(log).toContain("/v1/stores/Secure");
      expect(log).not.toContain(words);
    },
  );

  it("is not a short value of a header of the service", async () => {
    const { log } = await observe("/v1/stores/S", [], `{"storeId":"7"}`, "X-Page-Token: 7\r\n");
    expect(JSON.parse(log)).toMatchObject({ body: { storeId: "7" } });
  });

  it("is still known behind more cookies than are read", async () => {
    const set = Array.from({ length: 1_900 }, (_, index) => `Set-Cookie: c=other-cookie-${index}\r\n`).join(
      "",
    );
    const cookie = Array.from({ length: 3_000 }, (_, index) => `c=cookie-value-${index}`).join("; ");
    const headers = [`Authorization: Bearer ${words}`, `Cookie: ${cookie}`];
    const { log } = await observe("/v1/stores/S", headers, `{"storeId":"${words}"}`, set);
    expect(log).toContain("getStore");
    expect(log).not.toContain(words);
  });

  it("that is a number leaves the status of the log", async () => {
    const headers = ["Authorization: Bearer 200", "Cookie: a=1; b=store; c=17"];
    const { log } = await observe("/v1/stores/S", headers, `{"a":17,"b":200}`);
    expect(JSON.parse(log)).toMatchObject({
      v: 1,
      api: "store",
      status: 200,
      body: { a: 17, b: "[redacted]" },
    });
  });

  it("that looks like JSON leaves each line of the log JSON", async () => {
    const { log } = await observe("/v1/stores/S", ['Cookie: a="method":"GET","url":"http']);
    expect(JSON.parse(log)).toMatchObject({ method: "GET", status: 200 });
  });
});

describe("personal data", () => {
  it.each(["jan.kowalski@example.com", "Jan Kowalski"])("in an ID is not in the log: %s", async (id) => {
    const target = `/v1/stores/${encodeURIComponent(id)}?externalIds=${encodeURIComponent(id)}`;
    const { log } = await observe(target, [], `{"externalId":"${id}"}`);
    expect(log).toContain("getStore");
    expect(log).not.toMatch(/kowalski/i);
    const { path, body } = JSON.parse(log) as { path: string; body: { externalId: string } }; // as `LogRecord` says
    expect(decodeURIComponent(path)).toBe(`/v1/stores/${body.externalId}`);
  });
});

describe("a page in a browser", () => {
  it.each([
    ["of another site", ["Origin: https://evil.example"], "403"],
    ["of an address", ["Origin: http://192.0.2.1"], "403"],
    ["in a sandboxed frame", ["Origin: null"], "403"],
    ["with an image of another site", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], "403"],
    ["of this machine", ["Origin: http://localhost:3000", "Sec-Fetch-Site: cross-site"], "200"],
    ["whose address is the proxy's", ["Sec-Fetch-Site: none"], "200"],
  ])("%s gets its response: %j", async (_, headers, status) => {
    const { received, log } = await observe("/v1/stores/S", headers);
    expect(received).toContain(`HTTP/1.1 ${status}`);
    expect(log === "").toBe(status === "403");
  });
});

describe("a path that a server could take for that of another API", () => {
  it.each([
    "/..%2fadmin",
    "/a/%2E%2e%2Fadmin",
    "/..%5cadmin",
    "/..;/admin",
    "/.;a=b/x",
    "/%2e%2e%3B/x",
    "/a#/../x",
    "/..%00/x",
    "/..%20/x",
    "/.%09./x",
    "/..%3Fx",
    "/..%23x",
    "/%u002e%u002e/x",
    "/%c0%ae%C0%AE/x",
    "/a%c0%af..%c0%afx",
    "/%ef%bc%8e%ef%bc%8e/x",
  ])("is not forwarded: %s", async (target) => {
    const { received, log } = await observe(`/v1${target}`, []);
    expect(received).toContain("HTTP/1.1 404");
    expect(log).toBe("");
  });

  it.each(["/a%2fb", "/.hidden", "/...", "/a..;b", "/..a%2F.b", "/;x", "/..%20a", "/a%00", "/%20"])(
    "is forwarded if it has no dot segment: %s",
    async (id) => {
      const { received } = await observe(`/v1/stores${id}`, []);
      expect(received).toContain("HTTP/1.1 200");
    },
  );
});

it("the log has no character that ends a line for some readers, or that a terminal obeys", async () => {
  const id = "a\u0085b\u009b2J\u202ec";
  const { log } = await observe("/v1/stores/S", [], `{"storeId":"${Buffer.from(id).toString("latin1")}"}`);
  expect(log.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(log)).toMatchObject({ body: { storeId: id } });
});
