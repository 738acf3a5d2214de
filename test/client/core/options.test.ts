import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { ConfigurationError } from "../../../src/client/errors.ts";
import { checkHeaders } from "../../../src/client/headers.ts";
import { checkBaseUrl } from "../../../src/client/option-rules.ts";
import type { CallOptions, ClientOptions } from "../../../src/client/options.ts";
import { version } from "../../../src/wire/version.ts";
import { StoreClient } from "../../../src/client/store/index.ts";
import type { Transport } from "../../../src/client/transport.ts";
import {
  baseUrl,
  byId,
  createSmallApi,
  json,
  route,
  store,
  stubFetch,
  token,
  virtualRuntime,
} from "./small-api.ts";

describe("an option", () => {
  const method = () => {};

  it.each<[string, object[], object[]]>([
    [
      "timeout",
      [{ timeout: Infinity }, { timeout: 2_147_483_647 }, { timeout: 0.5 }, { timeout: undefined }],
      [{ timeout: 2_147_483_648 }, { timeout: -1 }, { timeout: Number.NaN }, { timeout: "5" }],
    ],
    [
      "retry",
      [{ retry: 0 }, { retry: { limit: 0, maxDelay: 0 } }, { retry: undefined }],
      [{ retry: 1.5 }, { retry: { limit: 1.5 } }, { retry: { maxDelay: -1 } }, { retry: { maxDelay: "1" } }],
    ],
    [
      "maxResponseBytes",
      [{ maxResponseBytes: 1 }],
      [{ maxResponseBytes: 1.5 }, { maxResponseBytes: Infinity }],
    ],
    [
      "maxConcurrency",
      [{ maxConcurrency: 1 }, { maxConcurrency: Infinity }],
      [{ maxConcurrency: 1.5 }, { maxConcurrency: "1" }],
    ],
    [
      "hooks",
      [{ hooks: [] }, { hooks: [{}, { onDrift: method }] }, { hooks: { onRetry: undefined } }],
      [{ hooks: null }, { hooks: [{}, null] }, { hooks: { onRetry: {} } }],
    ],
    [
      "objects with methods",
      [{ limiter: { acquire: method } }, { log: { level: "info", write: method } }, { transport: method }],
      [{ limiter: null }, { log: { level: "info" } }, { fetch: null }],
    ],
    [
      "the others",
      [{ validate: "full", allowInsecure: false, cache: "any", runtime: globalThis, headers: new Headers() }],
      [{ shapes: null }, { shapes: [] }, { allowInsecure: "false" }, { headers: "a" }, { constructor: 1 }],
    ],
    [
      "headers",
      [{ headers: { a: "1", b: undefined } }],
      [{ headers: { "a b": "1" } }, { headers: { a: "1\n2" } }, { headers: { a: 5 } }],
    ],
    [
      "shapes",
      [{ shapes: { photo: z.string() } }, { shapes: { photo: undefined } }],
      [{ shapes: { photo: 5 } }],
    ],
  ])("%s: each of the first values is taken, each of the others is refused", (_, taken, refused) => {
    const open = (options: object) => new StoreClient({ baseUrl, token, ...options });
    for (const options of taken) expect(() => open(options)).not.toThrow();
    for (const options of refused) expect(() => open(options), inspect(options)).toThrow(ConfigurationError);
  });

  it("for the largest response is 64 MiB by default", async () => {
    const sizes: number[] = [];
    const transport: Transport = async ({ maxBytes }) => {
      sizes.push(maxBytes);
      return { status: 200, headers: new Headers(), complete: false, body: Uint8Array.of(1) };
    };
    const { http } = createSmallApi({ transport });
    await expect(http.GET(route, byId)).rejects.toThrow("a body over 67108864 bytes (maxResponseBytes)");
    await expect(http.GET(route, { ...byId, call: { options: { maxResponseBytes: 9 } } })).rejects.toThrow(
      "over 9 bytes",
    );
    expect(sizes).toEqual([67_108_864, 9]);
  });

  it.each<[ClientOptions, CallOptions, number[]]>([
    [{}, {}, [300, 600]],
    [{ retry: 1 }, {}, [300]],
    [{ retry: 1 }, { retry: { limit: 3 } }, [300, 600, 1200]],
    [{ retry: { limit: 3, maxDelay: 500 } }, {}, [300, 500, 500]],
    [{ retry: { limit: 3, maxDelay: 500 } }, { retry: 1 }, [300]],
    [{ retry: 3 }, { retry: { maxDelay: 700 } }, [300, 600, 700]],
    [{ totalTimeout: 1000 }, {}, [300, 600]],
    [{ totalTimeout: 1000 }, { totalTimeout: 700 }, [300]],
  ])("of a client %j and of a call %j cause the waits %j", async (options, ofCall, expected) => {
    const { runtime, waits } = virtualRuntime();
    const { fetch } = stubFetch(json({}, 503));
    const { http } = createSmallApi({
      fetch,
      runtime: {
        ...runtime,
        setTimeout: (run, delay) =>
          delay === options.totalTimeout || delay === ofCall.totalTimeout
            ? undefined
            : runtime.setTimeout(run, delay),
      },
      ...options,
    });
    await expect(http.GET(route, { ...byId, call: { options: ofCall } })).rejects.toMatchObject({
      status: 503,
    });
    expect(waits).toEqual(expected);
  });
});

describe("the schemas of an API", () => {
  it("are loaded with the first write, and again after a failed download", async () => {
    const { fetch } = stubFetch(json(store));
    let loads = 0;
    const loadCheck = async () => {
      loads += 1;
      if (loads === 1) throw new Error("offline");
      return import("../../../src/client/store/contract-check.ts");
    };
    const { http } = createSmallApi({ fetch }, { loadCheck });
    const put = { ...byId, body: { name: "A" } };
    await http.GET(route, byId);
    await expect(http.PUT(route, put)).rejects.toThrow("offline");
    await http.PUT(route, put);
    await http.PUT(route, put);
    expect(loads).toBe(2);
  });
});

describe("the user agent", () => {
  it.each<[object | undefined, string | undefined]>([
    [{ userAgent: "Mozilla/5.0 (X11)" }, undefined],
    [{ userAgent: "Cloudflare-Workers" }, `shelfleet/${version}`],
    [{}, `shelfleet/${version}`],
    [undefined, `shelfleet/${version}`],
  ])("of a platform whose navigator is %o is %s", async (navigator, expected) => {
    vi.stubGlobal("navigator", navigator);
    const { fetch, requests } = stubFetch(json(store));
    await createSmallApi({ fetch }).http.GET(route, byId);
    vi.unstubAllGlobals();
    expect(requests[0]?.headers["user-agent"]).toBe(expected);
  });
});

describe("a header", () => {
  it("is taken from an object or from Headers, with a name in lower case", () => {
    expect(checkHeaders({ "X-A": "1", b: undefined })).toEqual({ "x-a": "1" });
    expect(checkHeaders(new Headers({ "X-A": "1" }))).toEqual({ "x-a": "1" });
  });
});

describe("a base URL", () => {
  it.each<[string, string, boolean]>([
    ["https://a.example/x//", "https://a.example/x", false],
    ["http://localhost:8080", "http://localhost:8080", false],
    ["http://[::1]:1/", "http://[::1]:1", false],
    ["http://a.example", "http://a.example", true],
  ])("%s is taken as %s with allowInsecure %s", (given, expected, allowInsecure) => {
    expect(checkBaseUrl("baseUrl", given, allowInsecure)).toBe(expected);
    expect(checkBaseUrl("baseUrl", new URL(given), allowInsecure)).toBe(expected);
  });

  it.each(["a.example", "https://u:p@a.example", "https://a.example?x", 5])("%j is refused", (given) => {
    expect(() => checkBaseUrl("baseUrl", given, false)).toThrow(ConfigurationError);
  });
});
