// Kinds 16 and 18: what errors and logs say.
import { describe, expect, it } from "vitest";
import { logTo } from "../../../src/index.ts";
import { type Answer, serve, storeRow } from "../../sync/service.ts";

/** The error of a call over a `fetch`. */
async function failOver(respond: () => Promise<Response>, options: object = {}) {
  const { makeStore } = serve(() => [200]);
  const error = await makeStore({ fetch: respond, ...options })
    .stores.get("S-1")
    .catch((caught: unknown) => caught);
  return error as Error;
}

describe("the message of an error", () => {
  it.each<[string, () => Promise<Response>, string]>([
    [
      "a lost connection under msw",
      () => Promise.reject(new TypeError("Failed to fetch", { cause: Response.error() })),
      "no complete response: Failed to fetch",
    ],
    [
      "an error without a message",
      () => Promise.reject(new Error("")),
      "no complete response: the connection was lost",
    ],
  ])("about %s says so", async (_, respond, words) => {
    const { message } = await failOver(respond);
    expect(message).toContain(words);
    expect(message).not.toContain("[object");
  });

  it.each([
    ["", () => new Promise<string>(() => {})],
    [
      "further ",
      ({ refused }: { refused?: string }) =>
        refused === undefined ? "token-1" : new Promise<string>(() => {}),
    ],
  ])("about a token function that hangs says that no %srequest was sent", async (further, token) => {
    const { makeStore } = serve(() => [401, { error: { code: "unauthorized", message: "no" } }]);
    await expect(makeStore({ token, timeout: 5 }).stores.get("S-1")).rejects.toThrow(
      `no ${further}request was sent: the limiter, a place or the token was awaited within 5 ms (timeout)`,
    );
  });
});

describe("logTo", () => {
  const open = (answers: Answer[], options: object = {}) => {
    const lines: string[] = [];
    const write = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
    const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
    let count = 0;
    const { makeStore } = serve(() => {
      count += 1;
      return answers[count - 1] ?? [200, storeRow(1)];
    });
    return { lines, store: makeStore({ log: logTo(logger), retry: { limit: 2, maxDelay: 1 }, ...options }) };
  };
  const levels = (lines: string[]) => lines.map((line) => line.split(" ")[0]);
  const failed: Answer = [500, { error: { code: "internal", message: "boom" } }, { "x-request-id": "r-17" }];

  it("writes one error for a call that fails in the end, and nothing twice in a line", async () => {
    const { lines, store } = open([failed, failed, failed]);
    await store.stores.get("S-001").catch(() => {});
    expect(levels(lines)).toEqual(["info", "info", "error"]);
    const line = lines.at(-1) ?? "";
    for (const part of ["GET /v1/stores/{externalId}", "500", "internal", "boom", "r-17", "3 attempts"])
      expect(line.split(part), line).toHaveLength(2);
  });
});
