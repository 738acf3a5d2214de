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
import { growth } from "../../proof/growth.ts";
import { settle } from "./attack.ts";

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

it("the growth measurement detects a quadratic parser", async () => {
  const quadratic = (size: number): number => {
    let sum = 0;
    for (let at = 0; at < size * size; at += 1) sum += at & 1;
    return sum;
  };
  // each result is the least of its rounds, so that a busy machine can only make it too small
  const results: number[] = [];
  while (results.length < 5 && !results.some((one) => one > 1.75))
    results.push(await growth((factor) => quadratic(1_000 * factor)));
  expect(Math.max(...results)).toBeGreaterThan(1.75);
});

describe("redaction", () => {
  it.each(Object.entries(hostile))("takes linear time for a text of %s", async (_, piece) => {
    const work = (size: number): string => redactor.redact(piece.repeat(Math.ceil(size / piece.length)));
    expect(await growth((factor) => work(20_000 * factor))).toBeLessThan(1.75);
  });
});

it("redaction takes linear time in the length of a secret", async () => {
  const work = (size: number): string => {
    const own = new Redactor();
    own.add("ab+/".repeat(size / 4));
    return own.redact("ab+/".repeat(5000));
  };
  expect(await growth((factor) => work(8000 * factor))).toBeLessThan(1.75);
});

const api = {
  config: { operations: { getX: { method: "GET" as const, path: "/x" } } },
  page: () => Promise.reject(new Error("nothing is requested")),
  redact: (text: string) => text,
};

function readToken(resume: string): unknown {
  return beginWalk(
    copyCall({ api, operation: "getX", query: { resume }, options: undefined }, []),
    new RequestRecord(),
  );
}

const parsers: Record<string, (text: string) => unknown> = {
  "Retry-After": (text) => parseRetryAfter(text, 0),
  "a date-time": serializeDateTime,
  "a URL": (text) => pathBelow("https://stores.example.com/api", text),
  "a key": (text) => environmentOf(text, undefined),
  "a key of a prefix": (text) => environmentOf(text, "a"),
  "a resume token": readToken,
};

describe("a parser of the client", () => {
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
  it.each(Object.entries(parsers))("takes linear time for %s", async (_, parse) => {
    for (const piece of pieces) {
      const work = (size: number): void => {
        try {
          parse(piece.repeat(Math.ceil(size / piece.length)));
        } catch {
          // another test checks that the input is rejected
        }
      };
      expect([piece, (await growth((factor) => work(50_000 * factor))) < 1.75]).toEqual([piece, true]);
    }
  });
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
  "items that do not fit": (size) => `{"items":[${"{},".repeat(size / 3)}{}],"nextCursor":null}`,
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

describe("a client's work", () => {
  const key = `acme_${"0".repeat(64)}`;
  const ignore = (): void => {};
  const log = logTo({ debug: ignore, info: ignore, warn: ignore, error: ignore }, "debug");
  it.each(Object.entries(bodies))("grows linearly with a response of %s", async (_, bodyOf) => {
    for (const status of [200, 400, 403]) {
      for (const validate of ["envelope", "full"] as const) {
        const work = async (size: number): Promise<void> => {
          const body = bodyOf(size);
          const shared = { retry: 0, validate, log, fetch: async () => new Response(body, { status }) };
          const store = new StoreClient({ baseUrl: "https://x.example", token: secret, ...shared });
          const fleet = new FleetClient({ baseUrl: "https://x.example/api/third-party/v1", key, ...shared });
          await store.stores.list().then(ignore, ignore);
          await fleet.vehicles.list().then(ignore, ignore);
          await settle();
        };
        expect([status, validate, (await growth((factor) => work(6000 * factor))) < 1.75]).toEqual([
          status,
          validate,
          true,
        ]);
      }
    }
  });
});
