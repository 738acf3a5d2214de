import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/client/errors.ts";
import { checkBaseUrl, checkClientOptions, checkHeaders } from "../../../src/client/options.ts";
import { byId, createSmallApi, json, route, store, stubFetch } from "./small-api.ts";

describe("an option", () => {
  it("may be undefined", () => {
    const options = {
      timeout: undefined,
      retry: undefined,
      hooks: undefined,
      fetch: undefined,
      shapes: undefined,
    };
    expect(() => checkClientOptions(options, {}, [])).not.toThrow();
  });

  it("of one call replaces that of the client", async () => {
    const { fetch, requests } = stubFetch(json({}, 503));
    const { http } = createSmallApi({ fetch, retry: 5 });
    await expect(http.GET(route, { ...byId, call: { options: { retry: 0 } } })).rejects.toMatchObject({
      attempts: 1,
    });
    expect(requests.length).toBe(1);
  });

  it("of one call that is unknown sends nothing", async () => {
    const { fetch, requests } = stubFetch(json(store));
    const options = { retries: 1 } as object;
    await expect(createSmallApi({ fetch }).http.GET(route, { ...byId, call: { options } })).rejects.toThrow(
      'call: unknown option "retries". Did you mean "retry"?',
    );
    expect(requests).toEqual([]);
  });
});

describe("a header", () => {
  it.each([{ "a b": "1" }, { a: "1\n2" }, { a: 5 as unknown as string }])("%o cannot be sent", (headers) => {
    expect(() => checkHeaders(headers)).toThrow(ConfigurationError);
  });

  it("is taken from an object or from Headers, with a name in lower case", () => {
    expect(checkHeaders({ "X-A": "1", b: undefined })).toEqual({ "x-a": "1" });
    expect(checkHeaders(new Headers({ "X-A": "1" }))).toEqual({ "x-a": "1" });
  });
});

describe("a base URL", () => {
  it.each([
    ["https://a.example/x/", "https://a.example/x"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://[::1]:1/", "http://[::1]:1"],
  ])("%s is taken", (given, expected) => {
    expect(checkBaseUrl("baseUrl", given, false)).toBe(expected);
    expect(checkBaseUrl("baseUrl", new URL(given), false)).toBe(expected);
  });

  it.each([
    "http://a.example",
    "ftp://a.example",
    "a.example",
    "https://u:p@a.example",
    "https://a.example?x",
    5,
  ])("%j is refused", (given) => {
    expect(() => checkBaseUrl("baseUrl", given, false)).toThrow(ConfigurationError);
  });

  it("may be http for another host with allowInsecure", () => {
    expect(checkBaseUrl("baseUrl", "http://a.example", true)).toBe("http://a.example");
  });
});
