import { describe, expect, it } from "vitest";
import { ProbeOptionError, ProbeServiceError, toMarkdown } from "../../../src/field/probe/index.ts";
import { tableLines } from "../../../src/cli/probe-table.ts";
import { scopes } from "../../../generated/fleet.operations.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { objectOf } from "../../../src/wire/json.ts";
import { instant, optionsFor, probe } from "./run.ts";
import { modelSubject } from "./subjects.ts";

type Fetch = (input: Request) => Promise<Response>;

function subjectFetch(seed = 1): { fetch: Fetch; options: ReturnType<typeof optionsFor> } {
  const options = optionsFor(modelSubject(seed, 12), "read");
  return { fetch: options.fetch ?? globalThis.fetch, options };
}

/** Responds with another response from a request on. */
function from(count: number, fetch: Fetch, respond: (input: Request) => Response | undefined): Fetch {
  let requests = 0;
  return async (input) => {
    requests += 1;
    const own = requests >= count ? respond(input) : undefined;
    return own ?? fetch(input);
  };
}

function limited(headers: Record<string, string> = {}): Response {
  return Response.json({ error: { message: "slow" } }, { status: 429, headers });
}

describe("a run of the probe", () => {
  it("ends with its findings when the service asks to wait for an hour", async () => {
    const { fetch, options } = subjectFetch();
    const report = await probe({
      ...options,
      fetch: from(20, fetch, () => limited({ "retry-after": "3600" })),
    });
    expect(report).toMatchObject({ partial: "retry-after", retryAfter: 3600, requests: { total: 20 } });
    expect(Object.keys(report.readings).length).toBeGreaterThan(3);
    expect(tableLines(report)).toContain("This report is partial: the service asked to wait 60 minutes.");
  });

  it("ends after six responses with status 429 in a row", async () => {
    const { fetch, options } = subjectFetch();
    const report = await probe({ ...options, fetch: from(20, fetch, () => limited()) });
    expect(report).toMatchObject({ partial: "limited", requests: { total: 25 } });
  });

  it("finds what it would find if the order of properties and a duration differ in each response", async () => {
    const { fetch, options } = subjectFetch();
    let number = 0;
    const reorder = (_: string, value: unknown): unknown => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      const entries = Object.entries(value);
      return Object.fromEntries(number % 2 === 0 ? entries : entries.toReversed());
    };
    const report = await probe({
      ...options,
      maxRequests: 300,
      fetch: async (input) => {
        number += 1;
        const response = await fetch(input);
        const text = await response.clone().text();
        if (!text.startsWith("{")) return response;
        const body: unknown = JSON.parse(text, reorder);
        return Response.json({ ...objectOf(body), tookMs: number % 7 }, { status: response.status });
      },
    });
    const known = await probe({ ...options, maxRequests: 300 });
    expect(Object.keys(report.readings).length).toBeGreaterThan(Object.keys(known.readings).length - 3);
  });

  it("continues with the other API if one cannot be reached", async () => {
    const { fetch, options } = subjectFetch();
    const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const report = await probe({
      ...options,
      fetch: (input) =>
        input.url.startsWith("https://stores.test")
          ? Promise.reject(new TypeError("fetch failed", { cause }))
          : fetch(input),
    });
    expect(report.unavailable).toEqual([
      "The store service at https://stores.test could not be reached: it refused the connection (ECONNREFUSED)",
    ]);
    expect(new Set(report.findings.map(({ api }) => api))).toEqual(new Set(["fleet"]));
    expect(Object.keys(report.readings).length).toBeGreaterThan(10);
  });

  it.each([
    ["ENOTFOUND", "its host name cannot be resolved"],
    ["ECONNREFUSED", "it refused the connection"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "its TLS certificate is not accepted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its TLS certificate is not accepted"],
    ["UND_ERR_CONNECT_TIMEOUT", "it did not respond in time"],
  ])("names the cause %s of a failed connection", async (code, words) => {
    const { options } = subjectFetch();
    const cause = Object.assign(new Error("failed"), { code });
    const run = probe({ ...options, fetch: () => Promise.reject(new TypeError("fetch failed", { cause })) });
    await expect(run).rejects.toThrow(ProbeServiceError);
    await expect(run).rejects.toThrow(`${words} (${code})`);
  });

  it("does what a key with one scope permits", async () => {
    const key = `ref_${"0a".repeat(32)}`;
    const ref = createReferenceServer({
      fleet: { keys: [{ key, scopes: scopes.filter((scope) => scope === "damages:read") }] },
    });
    const { readings } = await probe({
      fleetUrl: ref.fleetUrl,
      key,
      fetch: (input) => ref.fetch(input),
      rate: 1e9,
      timing: instant,
    });
    expect(readings).toMatchObject({
      "fleet.version-header": "optional",
      "lists.unknown-filters": "ignored",
    });
  });

  it("rejects a store URL that ends in /v1 with the message of the client", async () => {
    const run = probe({ storeUrl: "https://stores.test/v1", token: "t" });
    await expect(run).rejects.toThrow(ProbeOptionError);
    await expect(run).rejects.toThrow("Write https://stores.test");
  });

  it("reports its progress after each request", async () => {
    const { options } = subjectFetch();
    const requests: number[] = [];
    await probe({ ...options, maxRequests: 20, onProgress: (progress) => requests.push(progress.requests) });
    expect(requests.at(-1)).toBe(20);
    expect(requests.length).toBeGreaterThan(15);
  });
});

describe("the report", () => {
  it("has a heading, questions before the meanings, and the unknown readings by what the reader can do", async () => {
    const { options } = subjectFetch();
    const lines = tableLines(await probe({ ...options, maxRequests: 30 }));
    expect(lines.find((line) => /^ {2}gap +verdict +reading +requests$/.test(line))).toBeDefined();
    const text = lines.join("\n");
    expect(text).toMatch(/fleet\.version-header +\w+ +(required|optional) +\d+\n {4}[^\n?]+\? (Yes|No)[;.]/);
    const needs = lines.flatMap((line) => /^ {2}unknown, needs ([a-z]+)/.exec(line)?.[1] ?? []);
    expect([...new Set(needs)]).toEqual(["more", "narrow", "writes", "data"]);
    expect(text).not.toContain("protocols.equal-summaries");
  });

  it("names the number of requests that finishes a partial run, and that number does", async () => {
    const { options } = subjectFetch();
    const first = await probe({ ...options, maxRequests: 60 });
    expect(first.neededToDecide).toBeGreaterThan(60);
    const second = await probe({ ...subjectFetch().options, maxRequests: first.neededToDecide ?? 0 });
    expect(second.partial).toBeUndefined();
    // a smaller number is enough to look for every reading once
    expect(first.neededToFind).toBeLessThan((first.neededToDecide ?? 0) / 2);
    const found = await probe({ ...subjectFetch().options, maxRequests: first.neededToFind ?? 0 });
    expect(found.neededToFind).toBeUndefined();
  });

  it("decides the cheapest findings if there are too few requests for all", async () => {
    const { options } = subjectFetch();
    const { findings, partial } = await probe({ ...options, maxRequests: 300 });
    expect(partial).toBe("requests");
    expect(findings.filter(({ verdict }) => verdict === "decided").length).toBeGreaterThan(5);
  });

  it("has curl lines with version, body and media type", async () => {
    const subject = modelSubject(1, 12);
    const text = toMarkdown(await probe({ ...optionsFor(subject, "write"), maxRequests: 300 }));
    expect(text).toMatch(
      /curl -H "Authorization: Bearer \$SHELFLEET_KEY" -H 'X-Service-API-Version: v1' 'https/,
    );
    expect(text).toMatch(/curl -X POST .* -H 'Content-Type: application\/json' --data '\{"/);
    expect(text).toMatch(/Assumed: /);
  });
});
