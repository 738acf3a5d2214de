import { describe, expect, it } from "vitest";
import {
  type LedgerEntry,
  ProbeOptionError,
  ProbeServiceError,
  cleanup,
  probe,
} from "../../../src/field/probe/index.ts";
import { type ConsentName, fetchOf, instant, nowhere, optionsFor, watched } from "./run.ts";
import { changes, modelSubject } from "./subjects.ts";

type Fetch = (input: Request) => Promise<Response>;

const TOKEN = "secret-token-of-this-test";
const STORE = { storeUrl: "https://stores.test", token: TOKEN, rate: 1e9, timing: instant };

/** Counts the requests of a fetch. */
function countRequests(fetch: Fetch): { fetch: Fetch; count: () => number } {
  let requests = 0;
  return {
    fetch: (input) => {
      requests += 1;
      return fetch(input);
    },
    count: () => requests,
  };
}

const html = (): Promise<Response> =>
  Promise.resolve(new Response("<html>Log in</html>", { headers: { "content-type": "text/html" } }));

describe("a service that cannot be probed", () => {
  it.each<[name: string, fetch: Fetch, message: RegExp]>([
    ["is not reachable", () => Promise.reject(new TypeError("fetch failed")), /could not be reached/],
    [
      "rejects the token",
      () => Promise.resolve(Response.json({ error: { message: "no" } }, { status: 401 })),
      /rejected the token/,
    ],
    ["responds with HTML", html, /did not respond to GET \/v1\/stores like the store API/],
    [
      "is another API",
      () => Promise.resolve(Response.json({ hello: "world" })),
      /did not respond to GET \/v1\/stores/,
    ],
    [
      "has other lists",
      () => Promise.resolve(Response.json({ items: [{ id: 1 }], nextCursor: null })),
      /did not respond/,
    ],
    [
      "has no such path",
      () => Promise.resolve(Response.json({ message: "Not found" }, { status: 404 })),
      /status 404/,
    ],
    ["has no token configured", () => Promise.resolve(Response.json({ error: {} }, { status: 503 })), /503/],
    [
      "leads somewhere else",
      () => Promise.resolve(new Response(null, { status: 302, headers: { location: "/login" } })),
      /status 302/,
    ],
  ])("ends the run after at most five requests if it %s", async (_, fetch, message) => {
    const { fetch: counted, count } = countRequests(fetch);
    const error: unknown = await probe({ ...STORE, fetch: counted }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProbeServiceError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain(TOKEN);
    expect(count()).toBeLessThanOrEqual(5);
  });

  it("ends the run if the fleet API rejects the key", async () => {
    const fetch: Fetch = () =>
      Promise.resolve(Response.json({ errors: [{ code: "UNAUTHORIZED", message: "no" }] }, { status: 401 }));
    const run = probe({
      fleetUrl: "https://fleet.test/api/third-party/v1",
      key: TOKEN,
      fetch,
      rate: 1e9,
      timing: instant,
    });
    await expect(run).rejects.toThrow(/rejected the key/);
  });
});

describe("invalid options", () => {
  it.each<[name: string, options: Parameters<typeof probe>[0], message: RegExp]>([
    ["nothing to probe", {}, /No service: expected/],
    ["no token", { storeUrl: "https://stores.test" }, /storeUrl needs token/],
    ["no TLS", { ...STORE, storeUrl: "http://stores.example.com" }, /must be an https URL/],
    ["a relative URL", { ...STORE, storeUrl: "stores" }, /must be an http or https URL/],
    [
      "credentials in the URL",
      { ...STORE, storeUrl: "https://me:pass@stores.test" },
      /must not contain credentials/,
    ],
    [
      "credentials in a base URL that ends in /v1",
      { ...STORE, storeUrl: "https://me:pass@stores.test/v1" },
      /storeUrl must not contain credentials, a query or a fragment$/,
    ],
    ["an unknown gap", { ...STORE, only: ["stores.color"] }, /Unknown gap "stores.color"/],
    ["a maximum of 0 requests", { ...STORE, maxRequests: 0 }, /maxRequests must be a positive number/],
    ["writes without a ledger", { ...STORE, write: true, scratchStore: "S" }, /write needs a ledger/],
    [
      "writes without a place",
      { ...STORE, write: true, ledger: nowhere },
      /write needs a sandboxUrl or a scratchStore/,
    ],
    ["a scratch store without write", { ...STORE, scratchStore: "S" }, /scratchStore needs write/],
    [
      "the creation of a store without a name for it",
      { ...STORE, createScratchStore: true },
      /createScratchStore needs scratchStore/,
    ],
    [
      "a narrow key that cannot be sent in a header",
      { ...STORE, narrowKeys: ["acme_1", "b\u00e9"] },
      /narrowKeys has characters that a header cannot contain/,
    ],
    ["a token that cannot be sent in a header", { ...STORE, token: "a\nb" }, /token has characters/],
  ])("are rejected before anything is sent: %s", async (_, options, message) => {
    const { fetch, count } = countRequests(html);
    const error: unknown = await probe({ ...options, fetch }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProbeOptionError);
    expect(String(error)).toMatch(message);
    expect(count()).toBe(0);
  });

  it("do not include a URL without TLS on the same machine", async () => {
    const run = probe({ ...STORE, storeUrl: "http://127.0.0.1:1", fetch: html });
    await expect(run).rejects.toBeInstanceOf(ProbeServiceError);
  });
});

describe("a probe", () => {
  it("reads IDs that have no percent-encoded form", async () => {
    const subject = modelSubject(1, 6);
    const fetch = fetchOf(subject);
    const odd: Fetch = async (input) => {
      const response = await fetch(input);
      const text = await response.text();
      return new Response(text.replaceAll(/"(id|externalId)":"/g, '"$1":"\\ud800'), response);
    };
    const report = await probe({ ...optionsFor(subject, "read"), fetch: odd });
    expect(report.findings.length).toBeGreaterThan(50);
    expect(report.readings).not.toHaveProperty("stores.external-id-characters");
  });

  it("waits for Retry-After, and determines the rate limit from it", async () => {
    const subject = modelSubject(1, 6);
    const fetch = fetchOf(subject);
    let now = 0;
    const waits: number[] = [];
    const timing = {
      ...instant,
      now: () => now,
      sleep: (ms: number) => {
        waits.push(ms);
        now += ms;
        return Promise.resolve();
      },
    };
    // ten requests per minute
    let left = 10;
    let renewed = 0;
    const limited: Fetch = (input) => {
      if (now - renewed >= 60_000) [left, renewed] = [10, now];
      left -= 1;
      if (left >= 0) return fetch(input);
      const seconds = Math.ceil((60_000 - (now - renewed)) / 1000);
      const headers = { "retry-after": String(seconds) };
      return Promise.resolve(Response.json({ error: { message: "slow" } }, { status: 429, headers }));
    };
    const report = await probe({ ...optionsFor(subject, "read"), fetch: limited, timing, rate: 2 });
    const rate = report.findings.find(({ gap }) => gap === "limits.store-rate");
    expect(rate).toMatchObject({ verdict: "likely", reading: "too-many-requests" });
    expect(Math.max(...waits)).toBeGreaterThan(30_000);
    expect(Object.keys(report.readings).length).toBeGreaterThan(30);
  });

  it("sends two requests per second by default", async () => {
    const subject = modelSubject(1, 6);
    let now = 0;
    const starts: number[] = [];
    const { rate: _, ...options } = optionsFor(subject, "read");
    await probe({
      ...options,
      maxRequests: 20,
      timing: { ...instant, now: () => now, sleep: (ms) => Promise.resolve(void (now += ms)) },
      fetch: watched(subject, () => starts.push(now)),
    });
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.min(...gaps)).toBe(500);
  });

  it("stops after three consecutive failures, and reports why", async () => {
    const subject = modelSubject(1, 6);
    const fetch = fetchOf(subject);
    let requests = 0;
    const failing: Fetch = (input) => {
      requests += 1;
      return requests > 15 ? Promise.resolve(new Response("", { status: 502 })) : fetch(input);
    };
    const report = await probe({ ...optionsFor(subject, "read"), fetch: failing });
    expect(report.partial).toBe("failures");
    expect(requests).toBe(18);
  });

  it.each<ConsentName>(["read", "write"])(
    "stops when its signal aborts, and leaves nothing behind with the consent %s",
    async (consent) => {
      for (const count of [3, 20, 50, 80, 110]) {
        const subject = modelSubject(count, 6);
        const before = subject.state();
        const controller = new AbortController();
        let requests = 0;
        const report = await probe({
          ...optionsFor(subject, consent, "S-002"),
          signal: controller.signal,
          fetch: watched(subject, () => {
            requests += 1;
            if (requests === count) controller.abort();
          }),
        }).catch((error: unknown) => error);
        expect(report).toMatchObject(count === 3 || count > 60 ? {} : { partial: "stopped" });
        expect(changes(before, subject.state())).toEqual([]);
      }
    },
  );

  it("reports the missing data of a service without protocols and stores", async () => {
    const subject = modelSubject(2, 0);
    const { findings } = await probe(optionsFor(subject, "read"));
    const order = findings.find(({ gap }) => gap === "protocols.order");
    expect(order).toMatchObject({
      verdict: "unknown",
      needs: "a store with 4 protocols at different times",
    });
  });

  it("shows no secret in reports, ledgers and errors, even if the service repeats it", async () => {
    const subject = modelSubject(4, 6);
    const fetch = fetchOf(subject);
    const lines: string[] = [];
    const options = optionsFor(subject, "write", "S-002");
    const report = await probe({
      ...options,
      ledger: { append: (entry) => void lines.push(JSON.stringify(entry)) },
      fetch: async (input) => {
        const response = await fetch(input);
        const text = await response.text();
        const secret = input.headers.get("authorization") ?? "";
        const body = text.replace(/"message":"/, `"message":"${secret} `);
        return new Response(body === "" ? null : body, {
          status: response.status,
          headers: response.headers,
        });
      },
    });
    const all = JSON.stringify(report) + lines.join("\n");
    const secrets = [options.token, options.key, options.sandboxKey, ...(options.narrowKeys ?? [])];
    expect(secrets.filter((secret) => all.includes(secret ?? "?"))).toEqual([]);
  });

  it("shows no token that a base URL contains, and cleans up behind that URL", async () => {
    const subject = modelSubject(4, 6);
    const { storeUrl = "", token = "", ...others } = optionsFor(subject, "write", "S-002");
    const gateway = `https://gateway.test/${token}`;
    const fetch: Fetch = (input) =>
      fetchOf(subject)(new Request(input.url.replace(gateway, storeUrl), input.clone()));
    const entries: LedgerEntry[] = [];
    const ledger = { append: (entry: LedgerEntry) => void entries.push(entry) };
    const report = await probe({ ...others, storeUrl: gateway, token, fetch, ledger });
    expect(JSON.stringify([report, entries])).not.toContain(token);
    const access = { token, fetch, rate: 1e9, timing: instant };
    expect(await cleanup(entries, { ...access, storeUrl: gateway })).toMatchObject({ remaining: [] });
    await expect(cleanup(entries, { ...access, storeUrl })).rejects.toThrow(
      "The ledger is of another service",
    );
  });

  it("shows no values of free text in its evidence and its shapes", async () => {
    const subject = modelSubject(4, 6);
    const report = await probe({ ...optionsFor(subject, "keys"), maxRequests: 300 });
    const all = JSON.stringify([report.evidence.map(({ excerpt }) => excerpt), report.shapes]);
    expect(all).not.toMatch(/Anna|Contact 1|@|\+48|Ulica/);
  });
});
