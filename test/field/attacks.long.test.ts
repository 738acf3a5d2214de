import { describe, expect, it } from "vitest";
import { tableLines } from "../../src/cli/probe-table.ts";
import { toLine } from "../../src/cli/output.ts";
import { outlineOf } from "../../src/field/compare/outline.ts";
import { compare } from "../../src/field/compare/compare.ts";
import {
  type LedgerEntry,
  type ProbeReport,
  ProbeOptionError,
  cleanup,
  probe,
  probeTraffic,
  readHar,
  readLedger,
  readTrafficLog,
  shapesModule,
  toMarkdown,
} from "../../src/field/probe/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { quotes, shows } from "../secrets/forms.ts";

const token = "Zk3-tok.4f9A_Xy7/pq+Lm2=vv";
const instant = { now: () => 0, sleep: () => Promise.resolve() };
const commands = "\u001b[2J\r\n# Done\n\n<img src=x onerror=alert(1)> [a](http://b) `c`\u202e";

type Fetch = (input: Request) => Promise<Response>;

/** Everything that a run of `shelfleet probe` prints and writes. */
function outputsOf(report: ProbeReport): string[] {
  const lines = tableLines(report).map((line) => toLine(line));
  return [JSON.stringify(report), toMarkdown(report), shapesModule(report.shapes), ...lines];
}

/** A store API that changes the text of each response of the reference server. */
function changed(change: (text: string) => string): { fetch: Fetch; storeUrl: string; token: string } {
  const ref = createReferenceServer({ store: { stores: 3, token } });
  const fetch = async (input: Request): Promise<Response> => {
    const response = await ref.fetch(input);
    const text = await response.text();
    return new Response(change(text), { status: response.status, headers: response.headers });
  };
  return { fetch, storeUrl: ref.storeUrl, token };
}

function probeOf(service: { fetch: Fetch; storeUrl: string; token: string }): Promise<ProbeReport> {
  return probe({ ...service, rate: 1e9, timing: instant });
}

/** Adds a property with this name, and this value, to each object with an ID; replaces error codes. */
function plant(text: string, quoted: string): string {
  const property = `"${quoted}":"${quoted}"`;
  return text
    .replaceAll(/"(externalId|protocolId|photoId)":/g, `${property},"$1":`)
    .replaceAll(/"code":"[^"]*"/g, `"code":"${quoted}"`);
}

describe("a secret that a service echoes", () => {
  // test/wire/redaction.test.ts has all forms
  const forms = ["as JSON", "percent-encoded throughout", "with decimal entities", "in base64 lines"];
  const planted = forms.map((name) => [name, JSON.stringify(quotes[name]?.(token) ?? token).slice(1, -1)]);
  const escapes = Array.from(token, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("");

  it.each([...planted, ["as escapes of the JSON", escapes]])(
    "is in no output of a probe: %s",
    async (_, text = "") => {
      const report = await probeOf(changed((body) => plant(body, text)));
      expect(report.requests.total).toBeGreaterThan(5);
      for (const output of outputsOf(report)) expect(shows(output, token)).toBe(false);
    },
  );

  it("is in no difference of a comparison", async () => {
    const service = changed((body) => plant(body, escapes));
    const report = await compare({ ...service, readings: {}, rate: 1e9 });
    expect(report.differences.length).toBeGreaterThan(0);
    expect(shows(JSON.stringify(report), token)).toBe(false);
  });
});

it("no output of a probe has coordinates, or a login code that is a number", async () => {
  const { fetch, storeUrl } = changed((text) =>
    text.replaceAll(/"loginCode":"[^"]*"/g, '"loginCode":417741'),
  );
  const { fetch: fetchFleet, fleetUrl, keys } = createReferenceServer();
  const report = await probe({
    fetch: (input) => (input.url.startsWith(fleetUrl) ? fetchFleet(input) : fetch(input)),
    storeUrl,
    token,
    fleetUrl,
    key: keys[0]?.key ?? "",
    rate: 1e9,
    timing: instant,
  });
  const outputs = outputsOf(report).join("\n");
  for (const name of ["loginCode", "latitude"]) expect(outputs).toContain(`\\"${name}\\":\\"(number)\\"`);
  expect(outputs).not.toMatch(/417741|latitude\W+\d/);
});

describe("commands in the names, IDs and codes of a service", () => {
  it("reach neither the terminal nor the Markdown of a report", async () => {
    const report = await probeOf(changed((text) => plant(text, JSON.stringify(commands).slice(1, -1))));
    const [, markdown = "", , ...lines] = outputsOf(report);
    expect(JSON.stringify(report)).toContain("onerror");
    for (const line of [...lines, ...markdown.split("\n")]) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(markdown.replaceAll(/```text[^]*?```/g, "")).not.toMatch(/(?<!\\)<img|^# Done/m);
  });
});

describe("a probe", () => {
  it("survives responses that are nested too deep, or too large", async () => {
    for (const body of [`${"[".repeat(20_000)}${"]".repeat(20_000)}`, `"${"a".repeat(9_000_000)}"`]) {
      const seen: string[] = [];
      const { fetch, ...service } = changed((text) => text);
      const report = await probeOf({
        ...service,
        fetch: async (input) => {
          seen.push(input.url);
          const response = await fetch(input);
          if (seen.length < 4 || response.status !== 200) return response;
          return new Response(`{"items":[{"externalId":${body}}],"nextCursor":null}`);
        },
      });
      expect(report.findings.length).toBeGreaterThan(50);
    }
  });

  it("writes types that cannot set a prototype", () => {
    const property = { type: "string" };
    const properties = Object.fromEntries([["__proto__", property]]);
    const module = shapesModule({ photo: { type: "object", properties, required: [] } });
    expect(module).not.toMatch(/^\s*"?__proto__"?\??:/m);
    expect(module).toContain('["__proto__"]');
  });

  it("writes types in which no name reorders the text", () => {
    const properties = { "a\u202e\u2066": { type: "string" } };
    const module = shapesModule({ photo: { type: "object", properties, required: [] } });
    expect(module).not.toMatch(/\p{Cf}/u);
    expect(module).toContain('"a\\u202e\\u2066"');
  });
});

describe("values of a service without a bound", () => {
  it("a comparison reads 100 000 rates, and keeps 1 000 short differences", async () => {
    const rates = Array.from({ length: 100_000 }, () => ({ fillRate: 1 }));
    expect(outlineOf({ items: rates }).get("/items/*/fillRate")).toEqual(new Set(["a number up to 1"]));
    let count = 0;
    const service = changed((text) => {
      count += 1;
      const names = Array.from({ length: 50 }, (_, index) => `"p${count}-${index}${"x".repeat(1_000)}":1,`);
      return text.replace("{", `{${names.join("")}`);
    });
    const { differences, incomplete } = await compare({ ...service, readings: {}, rate: 1e9 });
    expect(differences).toHaveLength(1_000);
    expect(Math.max(...differences.map(({ place }) => place.length))).toBeLessThan(600);
    expect(incomplete).toContain("the differences, after 1000");
  });

  it("no request has a cursor of 1 MB", async () => {
    const urls: number[] = [];
    const { fetch, ...service } = changed((text) =>
      text.replaceAll(/"nextCursor":"[^"]*"/g, `"nextCursor":"${"c".repeat(1_000_000)}"`),
    );
    await probeOf({
      ...service,
      fetch: (input) => {
        urls.push(input.url.length);
        return fetch(input);
      },
    });
    expect(urls.length).toBeGreaterThan(20);
    expect(Math.max(...urls)).toBeLessThan(1_000);
  });
});

describe("a store whose ID is a dot segment", () => {
  it("is left out by a probe and a comparison, and leads to no other path", async () => {
    const paths = new Set<string>();
    let count = 0;
    const service = changed((text) =>
      text.replaceAll(/"externalId":"S-1"/g, () => `"externalId":"${(count += 1) % 2 === 0 ? "." : ".."}"`),
    );
    const fetch = (input: Request): Promise<Response> => {
      paths.add(new URL(input.url).pathname);
      return service.fetch(input);
    };
    const report = await probeOf({ ...service, fetch });
    const compared = await compare({ ...service, fetch, readings: {}, rate: 1e9 });
    expect(compared.compared).toBeGreaterThan(50);
    expect(report.requests.total).toBeGreaterThan(30);
    for (const path of paths) expect(path).toMatch(/^\/v1\/(fill-rate$|stores($|\/[^/.]))/);
  });
});

describe("a HAR file", () => {
  it("leaves no secret and no free text of its queries in the report", () => {
    const url = (query: string): string => `https://stores.example.com/v1/stores?${query}`;
    const entries = [
      "limit=2",
      "access_token=opaque-1234567890&search=Jan+Kowalski",
      "cursor=opaque-1234567890",
    ].map((query) => ({
      request: {
        method: "GET",
        url: url(query),
        headers: [token, "another-token-0123"].map((secret) => ({
          name: "Authorization",
          value: `Bearer ${secret}`,
        })),
      },
      response: {
        status: 200,
        content: {
          mimeType: "application/json",
          text: JSON.stringify({ items: [{ externalId: "a", [token]: token }], nextCursor: token }),
        },
      },
    }));
    const report = probeTraffic(readHar(JSON.stringify({ log: { entries } })), {});
    for (const output of outputsOf(report)) {
      expect(shows(output, token)).toBe(false);
      expect(output).not.toMatch(/opaque-1234567890|Kowalski/);
    }
  });
});

describe("a secret in a HAR file", () => {
  const plain = { url: "https://stores.example.com/v1/stores/S/protocols?limit=1" };
  const pair = { name: "client_secret", value: token };

  it.each<[place: string, request: object, response?: object]>([
    ["a header of another name", { headers: [{ name: "X-Auth-Token", value: token }] }],
    ["a cookie", { cookies: [{ name: "sid", value: token }] }],
    ["a cookie of the response", {}, { cookies: [{ name: "sid", value: token }] }],
    ["a header of the response", {}, { headers: [{ name: "Set-Cookie", value: `sid=${token}; Path=/` }] }],
    ["a form", { postData: { mimeType: "application/x-www-form-urlencoded", params: [pair] } }],
    [
      "the URL",
      { url: `https://u:${encodeURIComponent(token)}@stores.example.com/v1/stores/S/protocols?limit=1` },
    ],
  ])("is not in the report if it is in %s", (_, request, response = {}) => {
    const text = JSON.stringify({ items: [{ protocolId: "a", [token]: 1 }], nextCursor: "b" });
    const content = { mimeType: "application/json", text };
    const entry = {
      request: { method: "GET", ...plain, ...request },
      response: { status: 200, content, ...response },
    };
    const report = probeTraffic(readHar(JSON.stringify({ log: { entries: [entry, entry] } })), {});
    expect(JSON.stringify(report.shapes)).toContain("protocolId");
    for (const output of outputsOf(report)) expect(shows(output, token)).toBe(false);
  });
});

it("a log names no service that an object inherits", () => {
  const body = { data: [], meta: {} };
  const record = {
    method: "GET",
    url: "http://h/vehicles?a=b",
    status: 200,
    path: "/vehicles",
    api: "fleet",
    body,
  };
  const lines = ["constructor", "__proto__"].map((service) => JSON.stringify({ ...record, service }));
  const report = probeTraffic(readTrafficLog(lines.join("\n")), {});
  expect(() => toMarkdown(report)).not.toThrow();
});

describe("the cleanup of a ledger", () => {
  const sandboxUrl = "https://fleet.example.com/sandbox";
  const run = { type: "run", marker: "shelfleet-probe-0123abcd", services: { sandbox: sandboxUrl } };
  const requests: string[] = [];
  const credentials = {
    sandboxUrl,
    sandboxKey: "acme_test_secret-of-the-sandbox",
    rate: 1e9,
    timing: instant,
    fetch: (input: Request) => {
      requests.push(`${input.method} ${input.url}`);
      return Promise.resolve(Response.json({ data: {} }));
    },
  };

  it.each<[string, object]>([
    ["another path", { type: "created", path: "/admin/users/1", list: "/admin/users" }],
    ["another list", { type: "created", path: "/vehicle-groups/1", list: "/damages" }],
    ["a list", { type: "created", path: "/vehicle-groups/", list: "/vehicle-groups" }],
    ["a dot segment", { type: "created", path: "/vehicle-groups/..", list: "/vehicle-groups" }],
    ["an encoded dot segment", { type: "created", path: "/vehicle-groups/%2e%2E", list: "/vehicle-groups" }],
    ["an encoded slash", { type: "created", path: "/vehicle-groups/..%2F9", list: "/vehicle-groups" }],
    ["a query", { type: "created", path: "/vehicle-groups/1?x", list: "/vehicle-groups" }],
    ["another method", { type: "write", as: "sandbox", method: "TRACE", path: "/vehicle-groups" }],
    ["other data", { type: "saved", path: "/v1/users/1", value: {} }],
    ["another name", { type: "renaming", path: "/v1/stores/a", to: "/v1/stores/../users" }],
    ["an unknown entry", { type: "delete", path: "/vehicle-groups/1" }],
    ["a marker that every row contains", { ...run, marker: "a" }],
    ["an inherited name", { type: "constructor" }],
  ])("sends nothing if an entry has %s", async (_, entry) => {
    const entries = [run, entry] as LedgerEntry[];
    await expect(cleanup(entries, credentials)).rejects.toThrow(ProbeOptionError);
    expect(() => readLedger(entries.map((one) => JSON.stringify(one)).join("\n"))).toThrow(ProbeOptionError);
    expect(requests).toEqual([]);
  });

  it("sends no secret to a service that only the ledger names", async () => {
    const other = { ...run, services: { sandbox: "https://evil.example" } };
    await expect(cleanup([other as LedgerEntry], credentials)).rejects.toThrow("is of another service");
    expect(requests).toEqual([]);
  });

  it("sends no key of production", async () => {
    const sandboxKey = `acme_${"0".repeat(64)}`;
    const cleaned = cleanup([run as LedgerEntry], { ...credentials, sandboxKey });
    await expect(cleaned).rejects.toThrow("sandboxKey must be a key of the sandbox");
    expect(requests).toEqual([]);
  });

  it("skips an incomplete last line only", () => {
    expect(readLedger(`${JSON.stringify(run)}\n{"type":"wri`)).toEqual([run]);
    expect(() => readLedger(`{"type":"wri\n${JSON.stringify(run)}`)).toThrow(ProbeOptionError);
  });
});

describe("a probe with the consent to write to the sandbox", () => {
  const consent = { key: "a-key", sandboxKey: "another-key", write: true, ledger: { append: () => {} } };
  const fleetUrl = "https://fleet.example.com/api";

  it.each([
    fleetUrl,
    "https://FLEET.example.com:443/api/",
    "https://fleet.example.com./api",
    "http://fleet.example.com/api",
    "https://fleet.example.com/x/%2e./%61pi",
    "https://fleet.example.com//api",
    "https://fleet\u3002example\uff0ecom/API",
  ])("sends nothing if its sandbox is production in another spelling: %s", async (sandboxUrl) => {
    const options = { ...consent, fleetUrl, sandboxUrl, allowInsecure: true };
    await expect(probe(options)).rejects.toThrow("a sandboxUrl that is not the fleetUrl");
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "api.localhost",
  ])("sends nothing if its sandbox is production on this machine: %s", async (host) => {
    const urls = { fleetUrl: "http://localhost:1/api", sandboxUrl: `http://${host}:1/api` };
    const options = { ...consent, ...urls, allowInsecure: true };
    await expect(probe(options)).rejects.toThrow("a sandboxUrl that is not the fleetUrl");
  });

  it("sends nothing with a key of production", async () => {
    const options = { ...consent, sandboxUrl: fleetUrl, sandboxKey: `acme_${"0".repeat(64)}` };
    await expect(probe(options)).rejects.toThrow("sandboxKey must be a key of the sandbox");
  });
});
