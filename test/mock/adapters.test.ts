import { describe, expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { adapters } from "./adapters.ts";

type Request = readonly [
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer> | undefined,
  headers?: Record<string, string>,
];

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);

/** Requests that an adapter could understand in its own way. */
const REQUESTS: Readonly<Record<string, Request>> = {
  "a byte order mark": ["PUT", "/v1/stores/S-1", '\ufeff{"name":"x"}'],
  "two byte order marks": ["PUT", "/v1/stores/S-1", '\ufeff\ufeff{"name":"x"}'],
  "only a byte order mark": ["PUT", "/v1/stores/S-1", "\ufeff"],
  "half a surrogate pair": ["PUT", "/v1/stores/S-1", '{"name":"\ud83d"}'],
  "an escaped half of a surrogate pair": ["PUT", "/v1/stores/S-1", String.raw`{"name":"\ud83d"}`],
  "an emoji": ["PUT", "/v1/stores/S-1", '{"name":"🚚"}'],
  "bytes that are not UTF-8": ["PUT", "/v1/stores/S-1", bytes(0x7b, 0xff, 0x7d)],
  "UTF-16": ["PUT", "/v1/stores/S-1", bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0)],
  "a compressed body": ["PUT", "/v1/stores/S-1", bytes(0x1f, 0x8b, 8, 0), { "content-encoding": "gzip" }],
  "an empty body": ["PUT", "/v1/stores/S-1", ""],
  "no body": ["PUT", "/v1/stores/S-1"],
  "a body of blanks": ["PUT", "/v1/stores/S-1", " \n"],
  "a NUL": ["PUT", "/v1/stores/S-1", '{"name":"a\0b"}'],
  "a small method": ["put", "/v1/stores/S-1", '{"name":"x"}'],
  "an unknown method": ["QUERY", "/v1/stores/S-1", "{}"],
  "a body of a DELETE": ["DELETE", "/v1/stores/S-1", "{}"],
  "a HEAD": ["HEAD", "/v1/stores/S-1"],
  "a HEAD of an unknown store": ["HEAD", "/v1/stores/none"],
  "an OPTIONS": ["OPTIONS", "/v1/stores/S-1"],
  "a fragment": ["GET", "/v1/stores/S-1#x?limit=0"],
  "dot segments": ["GET", "/v1/stores/S-2/../S-1"],
  "encoded dot segments": ["GET", "/v1/stores/%2e%2e/stores"],
  "characters that URLs encode": ["PUT", '/v1/stores/ż {}|"<>`', "{}"],
  "a plus and a blank": ["GET", "/v1/stores?cursor=a+b%20c d"],
  "an ampersand in a value": ["GET", "/v1/stores?cursor=a%26limit=0"],
  "a name twice": ["GET", "/v1/stores?limit=1&limit=2"],
  "an invalid escape": ["GET", "/v1/stores/100%"],
  "an invalid escape in a query": ["GET", "/v1/stores?cursor=100%&limit=%zz"],
  "a backslash": ["GET", String.raw`/v1/stores\S-1`],
  "a double slash": ["GET", "/v1//stores"],
  "blanks around a header": ["GET", "/v1/stores/S-1", undefined, { "x-trace": "  a  " }],
  "no token": ["GET", "/v1/stores/S-1", undefined, { authorization: "" }],
};

describe.for(Object.entries(REQUESTS))("%s", ([, [method, path, body, own]]) => {
  test("has one answer over ref.fetch, as a Request, over msw and over HTTP", async () => {
    const answers: unknown[] = [];
    // msw sees each request from its start on
    for (const [, start] of adapters.toReversed()) {
      const ref = createReferenceServer({ store: { token: "the-token-1", stores: 2 } });
      const { fetch, storeUrl } = await start(ref);
      const headers = { authorization: "Bearer the-token-1", "content-type": "application/json", ...own };
      for (const isRequest of [false, true]) {
        ref.reset();
        const init = { method, headers, ...(body !== undefined && { body }) };
        const response = await (isRequest
          ? fetch(new Request(storeUrl + path, init))
          : fetch(storeUrl + path, init));
        const [entry] = ref.journal.all();
        const { contact, "content-type": type, "x-trace": trace } = entry?.headers ?? {};
        answers.push({
          status: response.status,
          type: response.headers.get("content-type"),
          // only HTTP names the length of each body
          length: method === "HEAD" ? response.headers.get("content-length") : undefined,
          text: await response.text(),
          journal: entry && [
            entry.method,
            entry.path,
            entry.query,
            entry.body,
            entry.issues,
            contact,
            type,
            trace,
          ],
        });
      }
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
  });
});

test("a GET with a body is an error of fetch over ref.fetch too", async () => {
  const { fetch, storeUrl } = createReferenceServer();
  for (const method of ["GET", "get", "HEAD"])
    await expect(fetch(storeUrl, { method, body: "{}" })).rejects.toThrow(TypeError);
});
