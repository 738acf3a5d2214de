import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { defaultLimits, type ResponseLimits } from "../../src/doctor/client.ts";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { differencesOf, examine, run, urls, variablesOf } from "./run.ts";

const token = "a-token-that-nobody-may-see";

/** Runs doctor against a store API on this machine. */
async function runStore(url: string, fetch = globalThis.fetch, limits?: ResponseLimits) {
  return run([], fetch, { SHELFLEET_STORE_URL: url, SHELFLEET_TOKEN: token }, limits);
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns a fetch of a reference server that responds differently from one request on. */
function changed(ref: ReferenceServer, from: number, respond: () => Response): typeof ref.fetch {
  let count = 0;
  return async (input, init) => {
    count += 1;
    return count >= from ? respond() : ref.fetch(input, init);
  };
}

describe("doctor", () => {
  it.each<[string, RequestListener, string]>([
    [
      "an HTML page",
      (_, response) => response.setHeader("content-type", "text/html").end("<!doctype html><h1>Hi</h1>"),
      "an HTML page with status 200",
    ],
    [
      "a redirect",
      (_, response) => response.writeHead(302, { location: `https://evil.example/?${token}` }).end(),
      "redirect 302 to https://evil.example, another page, which is not followed",
    ],
    [
      "a redirect with the token as host",
      (_, response) => response.writeHead(302, { location: `https://${token}.example/` }).end(),
      "redirect 302 to https://[redacted].example",
    ],
    [
      "a wrong token",
      (_, response) =>
        response.writeHead(401).end('{"error":{"code":"unauthorized","message":"Unknown token"}}'),
      "401: the token is wrong",
    ],
    [
      "no token in the service",
      (_, response) => response.writeHead(503).end('{"error":{"code":"not_configured","message":"No"}}'),
      "503 not_configured",
    ],
    [
      "a limit of requests",
      (_, response) => response.writeHead(429, { "retry-after": "3600" }).end("{}"),
      "429: too many requests",
    ],
    ["a lost connection", (request) => request.socket.destroy(), "the connection was closed"],
    [
      "a body that is cut",
      (request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{", () => request.socket.destroy());
      },
      "the connection was closed",
    ],
    [
      "a large body",
      (_, response) => response.end(`[${"1,".repeat(12_000_000)}1]`),
      "a body of more than 16 MiB",
    ],
    [
      "a redirect to the URL to set",
      (request, response) =>
        response.writeHead(301, { location: `https://stores.example/api${request.url}` }).end(),
      "redirect 301 to https://stores.example/api, which is not followed",
    ],
    [
      "a maintenance page",
      (_, response) => response.writeHead(503, { "retry-after": "0" }).end("<html>Back soon</html>"),
      "a maintenance page with status 503",
    ],
  ])(
    "says first that it is %s, what to try, and nothing of a service that it has not seen",
    async (_, listener, text) => {
      const { exitCode, stdout } = await runStore(await serve(listener));
      const [first, second] = stdout.split("\n");
      expect(first).toContain(`FAIL store: ${text}`);
      expect(second).toMatch(/^ {5}-> .|^$/);
      expect(stdout).not.toContain("StoreClient");
      expect(stdout).not.toContain(token);
      expect(exitCode).toBe(2);
    },
  );

  it.each([
    ["ENOTFOUND", "DNS does not know the host name"],
    ["ECONNREFUSED", "nothing listens"],
    ["UND_ERR_CONNECT_TIMEOUT", "the host does not respond"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another host name"],
    ["CERT_HAS_EXPIRED", "the certificate has expired"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate is self-signed"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "an unknown authority signed the certificate"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "does not speak TLS"],
    ["HPE_INVALID_CONSTANT", "does not speak HTTP"],
  ])("explains %s", async (code, text) => {
    const cause = Object.assign(new Error(`quotes ${token}`), { code });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const { stdout, exitCode } = await runStore("https://store.localhost", fetch);
    expect(stdout).toContain(text);
    expect(stdout).not.toContain(token);
    expect(exitCode).toBe(2);
  });

  it("ends when a body stalls, and when the head of a response does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stalled = new Response(new ReadableStream());
    for (const respond of [() => Promise.resolve(stalled), () => new Promise<Response>(() => {})]) {
      const running = runStore("http://store.localhost", respond, defaultLimits);
      await vi.advanceTimersByTimeAsync(30_000);
      expect((await running).stdout).toContain("no whole response within 10 s");
    }
  });

  it("ends when the token is refused in the middle", async () => {
    const ref = createReferenceServer(urls);
    const fetch = changed(ref, 20, () =>
      Response.json({ error: { code: "unauthorized", message: "" } }, { status: 401 }),
    );
    const { stdout, exitCode } = await run([], fetch, variablesOf(ref));
    expect(stdout).toContain("401: the token has expired or was revoked during the run");
    expect(exitCode).toBe(2);
  });

  it("waits for a 429 and a 503 on the way, which are no further requests", async () => {
    const ref = createReferenceServer(urls);
    const undisturbed = await examine(ref);
    let count = 0;
    const fetch: typeof ref.fetch = async (input, init) => {
      count += 1;
      if (count % 5 > 1) return ref.fetch(input, init);
      return new Response("", { status: count % 2 === 0 ? 429 : 503, headers: { "retry-after": "0" } });
    };
    expect(await examine(ref, { fetch })).toEqual(undisturbed);
  });

  it("finds nothing but the header of a service that requires the version", async () => {
    const ref = createReferenceServer({ ...urls, readings: { "fleet.version-header": "required" } });
    const result = await examine(ref);
    expect(differencesOf(result)).toEqual([]);
    expect(result.readings["fleet.version-header"]).toBe("required");
    expect(result.options["fleet"]).toEqual({ apiVersion: '"v1"' });
  });

  it("does not say that a credential is accepted which the service does not need", async () => {
    const ref = createReferenceServer(urls);
    const fetch: typeof ref.fetch = (input, init) => {
      const headers = new Headers(init?.headers ?? (input as Request).headers);
      const isFleet = String(input instanceof Request ? input.url : input).startsWith(ref.fleetUrl);
      headers.set("authorization", `Bearer ${isFleet ? ref.key : ref.token}`);
      return ref.fetch(new Request(input, init), { headers });
    };
    const { findings } = await examine(ref, { fetch });
    const credentials = findings.filter(({ check }) => check === "credential");
    expect(credentials.map(({ result, text }) => `${result}: ${text}`)).toEqual([
      "difference: without a token the status is 200 instead of 401",
      "open: the service needs no token: nothing shows if yours is valid",
      "difference: without a key the status is 200 instead of 401",
      "open: the service needs no key: nothing shows if yours is valid",
    ]);
  });

  it("keeps its sentences if a token is an ordinary word", async () => {
    const ref = createReferenceServer({ ...urls, store: { token: "store" } });
    const { stdout } = await run([], ref.fetch, variablesOf(ref));
    expect(stdout).toContain("ok   store: as the contract says");
    expect(stdout).not.toContain("[redacted]");
  });

  it("begins with the service that could not be checked", async () => {
    const ref = createReferenceServer(urls);
    const fetch: typeof ref.fetch = (input, init) =>
      new Request(input).url.startsWith(ref.fleetUrl)
        ? Promise.reject(new TypeError("fetch failed"))
        : ref.fetch(input, init);
    const { stdout } = await run([], fetch, variablesOf(ref));
    expect(stdout).toMatch(/^FAIL +fleet: [^]*^ok +store: /m);
    expect(stdout.indexOf("fleet")).toBeLessThan(stdout.indexOf("store"));
  });

  it("prints at most 25 lines, and each check with --verbose", async () => {
    const ref = createReferenceServer(urls);
    const short = await run([], ref.fetch, variablesOf(ref));
    expect(short.stdout.split("\n").length).toBeLessThan(25);
    const long = await run(["--verbose"], ref.fetch, variablesOf(ref));
    expect(long.stdout).toMatch(/^ok {4}store 1 .*: HTTP/m);
  });

  it("finds the differences of a service that answers everything with 200", async () => {
    const ref = createReferenceServer(urls);
    const result = await examine(ref, { fetch: changed(ref, 1, () => Response.json({})) });
    expect(differencesOf(result)).toEqual(
      expect.arrayContaining([
        "credential: without a token the status is 200 instead of 401",
        "unknown ID: an unknown ID has status 200 instead of 404",
        "GET /v1/stores: items is missing",
      ]),
    );
    expect(result.exitCode).toBe(1);
  });

  it("prints the differences and no client of a service that sends no list", async () => {
    const fetch = () => Promise.resolve(Response.json({}));
    const { stdout } = await run([], fetch, variablesOf(createReferenceServer(urls)));
    expect(stdout).toMatch(/^DIFF store: \d+ differences from the contract/);
    expect(stdout).toContain("GET /v1/stores: items is missing");
    expect(stdout).not.toContain("Client({");
  });

  it("finds nothing wrong with an empty service, and says what it lacks", async () => {
    const names = ["vehicles", "vehicleGroups", "vehicleFields", "inspections", "inspectionTemplates"];
    const fleet = Object.fromEntries([...names, "damages", "driverAssignments"].map((name) => [name, 0]));
    const ref = createReferenceServer({ ...urls, store: { stores: 0, storesWithoutId: 0 }, fleet });
    const result = await examine(ref);
    expect(differencesOf(result)).toEqual([]);
    expect(result.findings.filter((finding) => finding.result === "open").length).toBeGreaterThan(20);
    expect(result.exitCode).toBe(0);
  });

  it("never sends more requests than --requests, and only GETs", async () => {
    const ref = createReferenceServer(urls);
    const methods: string[] = [];
    const fetch: typeof ref.fetch = async (input, init) => {
      methods.push(new Request(input, init).method);
      return ref.fetch(input, init);
    };
    await examine(ref, { fetch, args: ["--requests", "4"] });
    expect(methods).toEqual(["GET", "GET", "GET", "GET"]);
    const result = await examine(ref, { args: ["--requests", "30"] });
    expect(result.requests).toBe(30);
    expect(result.exitCode).toBe(2);
  });

  it("prints no secret, value or control character of a response", async () => {
    const ref = createReferenceServer(urls);
    const fetch: typeof ref.fetch = async (input, init) => {
      const response = await ref.fetch(input, init);
      const text = (await response.text())
        .replaceAll('"items"', `"items":[{"\u001b[31m${ref.token}":1}],"secretValue"`)
        .replaceAll('"code":"not_found"', `"code":"${ref.token}\u0007"`);
      return new Response(text, { status: response.status, headers: response.headers });
    };
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = await run(args, fetch, variablesOf(ref));
      expect(stdout + stderr).not.toContain(ref.token);
      expect(stdout + stderr).not.toContain(ref.key);
      expect(stdout).not.toContain("secretValue");
      expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    }
  });
});
