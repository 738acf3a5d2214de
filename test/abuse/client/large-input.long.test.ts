import { describe, expect, it } from "vitest";
import { Redactor } from "../../../src/wire/redaction.ts";
import { FleetClient, logTo, StoreClient } from "../../../src/index.ts";
import { parseRetryAfter } from "../../../src/wire/retry-after.ts";
import { serializeDateTime } from "../../../src/client/core/request/serialize-query.ts";
import { pathBelow } from "../../../src/client/core/request/path-below.ts";
import { environmentOf } from "../../../src/client/fleet/keys.ts";
import { RequestRecord } from "../../../src/client/core/pagination/list-reader.ts";
import { copyCall } from "../../../src/client/core/pagination/list-call.ts";
import { beginWalk } from "../../../src/client/core/pagination/walk.ts";

const secret = "tok-4f9a+/=~?&Zq7\\%25&amp;x";
const redactor = new Redactor();
for (const one of [secret, "a".repeat(4000), "()[]{}\\^$".repeat(100), "t"]) redactor.add(one);

const hostile: Record<string, string> = {
  letters: "a",
  "parts of the secret": "tok-4f9a+/=~",
  "almost the secret": secret.slice(0, -1),
  "the secret": `${secret} `,
  backslashes: "\\",
  "backslashes and a letter": "\\\\u",
  "escaped backslashes": "\\x5c",
  percents: "%",
  "percents of percents": "%25",
  ampersands: "&",
  "open entities": "&#x0",
  entities: "&amp;",
  blanks: " ",
  lines: "a\n",
  base64: "dG9rLTRmOWEr",
  braces: "\\u{0",
  quotes: '\\"',
  "short secrets": "t ",
};

// a megabyte: code that takes quadratic time for it does not end within minutes
const million = 1_000_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(million / piece.length));

/** The texts that contain a secret, some of them in pieces. */
const redacted = new Set([
  "letters",
  "parts of the secret",
  "almost the secret",
  "the secret",
  "lines",
  "base64",
  "short secrets",
]);

describe("redaction", () => {
  it.each(Object.entries(hostile))("takes linear time for a text of %s", (name, piece) => {
    const text = fill(piece);
    expect(redactor.redact(text) !== text).toBe(redacted.has(name));
  });
});

it("redaction takes linear time in the length of a secret", () => {
  const own = new Redactor();
  own.add(fill("ab+/"));
  expect(own.redact(fill("ab+/"))).toBe("[redacted]");
});

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}

const api = {
  config: {
    operations: { getX: { method: "GET" as const, path: "/x" } },
    secret: { redactor: { redact: String } },
  },
  page: () => Promise.reject(new Error("nothing is requested")),
};

function readToken(resume: string): unknown {
  return beginWalk(
    copyCall({ api, operation: "getX", query: { resume }, options: undefined }, []),
    new RequestRecord(),
  );
}

/** The parsers of the client, and the name of the error for a wrong text. */
const parsers: [name: string, error: string, parse: (text: string) => unknown][] = [
  ["Retry-After", "", (text) => parseRetryAfter(text, 0)],
  ["a date-time", "", serializeDateTime],
  ["a URL", "TypeError", (text) => pathBelow("https://stores.example.com/api", text)],
  ["a key", "ConfigurationError", (text) => environmentOf(text, undefined)],
  ["a key of a prefix", "ConfigurationError", (text) => environmentOf(text, "a")],
  ["a resume token", "InvalidRequestError", readToken],
];

const pieces = [
  "9",
  " ",
  "a_",
  "_test_",
  "0",
  "%",
  "[",
  '{"a":',
  "Thu, ",
  "2026-01-01T00:00:00.",
  "https://a/",
];

it.each(parsers)("the client reads %s in linear time", (_, error, parse) => {
  const names = pieces.map((piece) => {
    try {
      parse(fill(piece));
      return "";
    } catch (thrown) {
      return nameOf(thrown);
    }
  });
  expect(["", error]).toEqual(expect.arrayContaining(names));
});

/** Bodies of responses by their size in bytes. */
const bodies: Record<string, (size: number) => string> = {
  "strings in a list": (size) => `{"items":[${'"",'.repeat(size / 3)}""],"nextCursor":null}`,
  "strings in an error": (size) => `{"error":{"code":"a","issues":[${'"",'.repeat(size / 3)}""]}}`,
  "issues of an error": (size) => {
    const issues = '{"path":"a","message":"b"},'.repeat(size / 27);
    return `{"error":{"code":"a","issues":[${issues}{}]},"errors":[${issues}{}]}`;
  },
  "names of an error": (size) => {
    const names = Array.from({ length: size / 12 }, (_, at) => `"n${at}":1`);
    return `{"error":{${names.join(",")}}}`;
  },
  "items that are objects": (size) => {
    const items = Array.from({ length: size / 20 }, (_, at) => `{"id":"${at}"}`);
    return `{"items":[${items.join(",")}],"data":[${items.join(",")}],"nextCursor":null}`;
  },
  "items that do not fit": (size) => `{"items":[${"{},".repeat(size / 10)}{}],"nextCursor":null}`,
  digits: (size) => `{"items":[],"nextCursor":null,"x":${"9".repeat(size)}}`,
  "strings of digits": (size) =>
    `{"items":[],"nextCursor":null,"x":["${"1234567890123456\\\\".repeat(size / 18)}"]}`,
  "backslashes before a quote": (size) => JSON.stringify([`${"\\".repeat(size / 6)}"`]),
  "a page of HTML": (size) => "<p>&amp;\\".repeat(size / 9),
  blanks: (size) => " ".repeat(size),
  "arrays in each other": (size) => "[".repeat(size),
  "lists in each other": (size) =>
    `{"items":${"[".repeat(size / 2)}${"]".repeat(size / 2)},"nextCursor":null}`,
};

/** The names of the errors that a list may end with. */
const namesByStatus: Record<number, string[]> = {
  200: ["", "UnexpectedResponseError"],
  400: ["StoreApiError", "FleetApiError"],
  403: ["StoreApiError", "ScopeError"],
};

describe("a client's work", () => {
  const key = `acme_${"0".repeat(64)}`;
  const ignore = (): void => {};
  const log = logTo({ debug: ignore, info: ignore, warn: ignore, error: ignore }, "debug");
  it.each(Object.entries(bodies))("grows linearly with a response of %s", async (_, bodyOf) => {
    const body = bodyOf(million);
    for (const status of [200, 400, 403]) {
      for (const validate of ["envelope", "full"] as const) {
        const shared = { retry: 0, validate, log, fetch: async () => new Response(body, { status }) };
        const store = new StoreClient({ baseUrl: "https://x.example", token: secret, ...shared });
        const fleet = new FleetClient({ baseUrl: "https://x.example/api/third-party/v1", key, ...shared });
        const results = await Promise.allSettled([store.stores.list(), fleet.vehicles.list()]);
        const names = results.map((result) => (result.status === "rejected" ? nameOf(result.reason) : ""));
        expect(namesByStatus[status]).toEqual(expect.arrayContaining(names));
      }
    }
  });
});
