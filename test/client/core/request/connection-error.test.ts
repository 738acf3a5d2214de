import { describe, expect, it } from "vitest";
import { ConnectionError } from "../../../../src/client/core/errors/errors.ts";
import { send } from "./small-api.ts";

const secret = "a-long-secret";
const once = { retries: 0 };
const label = "GET /things/{id}";

async function failureOf(thrown: unknown): Promise<ConnectionError> {
  const fetch = (): Promise<Response> => Promise.reject(thrown);
  const failure: unknown = await send({ fetch, secret, limits: once }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionError);
  return failure as ConnectionError;
}

/** Its causes from the outermost on: name, message and code of each. */
function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const { name, message, cause, code } = error as Error & { code?: unknown };
  return [[name, message, ...(code === undefined ? [] : [code])], ...causes(cause)];
}

describe("an error of a fetch becomes a ConnectionError", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });

  it.each<[unknown, string, unknown[]]>([
    [new TypeError("fetch failed"), "fetch failed", [["TypeError", "fetch failed"]]],
    [
      new TypeError("fetch failed", { cause: refused }),
      "connect ECONNREFUSED 127.0.0.1:9",
      [
        ["TypeError", "fetch failed"],
        ["Error", "connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED"],
      ],
    ],
    [
      new AggregateError([refused, new Error("second")], ""),
      "connect ECONNREFUSED 127.0.0.1:9",
      [
        ["AggregateError", expect.stringContaining("AggregateError")],
        ["Error", "connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED"],
      ],
    ],
    ["text", "text", [["Error", "text"]]],
    [5, "5", [["Error", "5"]]],
    [null, "null", [["Error", "null"]]],
    [undefined, "undefined", [["Error", "undefined"]]],
    [{ code: "EPIPE" }, "EPIPE", [["Error", "EPIPE", "EPIPE"]]],
    [{ code: 7, message: "", name: 5 }, "7", [["Error", "7"]]],
    [{ message: `has ${secret}` }, "has [redacted]", [["Error", "has [redacted]"]]],
    [
      { message: "a", cause: "b" },
      "b",
      [
        ["Error", "a"],
        ["Error", "b"],
      ],
    ],
  ])("%s", async (thrown, words, expected) => {
    const failure = await failureOf(thrown);
    expect(failure.message).toBe(`${label}: no complete response: ${words}`);
    expect(causes(failure.cause)).toEqual(expected);
  });

  it("with no more than five causes", async () => {
    const chain = [1, 2, 3, 4, 5, 6, 7].reduceRight<unknown>(
      (cause, at) => new Error(`e${at}`, { cause }),
      undefined,
    );
    const failure = await failureOf(chain);
    expect(causes(failure.cause)).toHaveLength(5);
    expect(failure.message).toBe(`${label}: no complete response: e5`);
  });

  it("if the body is cut off", async () => {
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error("cut")) });
    await expect(send({ fetch: async () => new Response(body), limits: once })).rejects.toMatchObject({
      name: "ConnectionError",
      message: `${label}: no complete response: cut`,
    });
  });
});

describe("a rejection that cannot be read becomes a ConnectionError", () => {
  const refuse = (): never => {
    throw new Error(secret);
  };
  it.each<[string, unknown]>([
    ["has no prototype", Object.create(null)],
    [
      "throws in a getter",
      {
        get message() {
          return refuse();
        },
      },
    ],
    ["throws when it is converted to a string", { toString: refuse }],
    ["has such a cause", new Error("outer", { cause: new Proxy({}, { get: refuse }) })],
  ])("a rejection with a value that %s becomes a ConnectionError", async (_, thrown) => {
    const failure = await failureOf(thrown);
    expect(failure.message).toBe("GET /things/{id}: no complete response: unknown error");
    expect(JSON.stringify(causes(failure))).not.toContain(secret);
  });
});
