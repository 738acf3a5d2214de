import { describe, expect, it, vi } from "vitest";
import { isPrivateHost } from "../../../../src/client/core/request/redirect.ts";
import { StoreClient } from "../../../../src/client/store/index.ts";
import type { Fetch } from "../../../../src/client/core/transport/fetch.ts";
import { send, type Setting } from "./small-api.ts";

const secret = "a-long-secret";
const url = "https://home.example/things/1";
const custom = { accept: "a/b", cookie: "a=b", "proxy-authorization": "x", "x-own": "1" };

/** A fetch that responds in turn, and what it was asked. */
function inOrder(...responses: Response[]) {
  const requested: [url: string, headers: Record<string, string>, redirect: unknown][] = [];
  const fetch: Fetch = async (at, { headers, redirect }) => {
    requested.push([at, Object.fromEntries(new Headers(headers)), redirect]);
    return responses[requested.length - 1] ?? new Response("end");
  };
  const setting: Setting = { fetch, secret, baseUrl: "https://home.example", headers: custom };
  return { setting, requested };
}

const to = (location: string, body: BodyInit | null = null, status = 302): Response =>
  new Response(body, { status, headers: { location } });

const statuses = [301, 302, 303, 307, 308];

/** The words of a text. */
const words = (text: string): string[] => text.trim().split(/\s+/);

describe("a redirect of a read", () => {
  const all = { ...custom, authorization: `Bearer ${secret}` };

  it("keeps its headers on the origin, and loses the token and every custom header on the way to another", async () => {
    const { setting, requested } = inOrder(
      to("/b"),
      to("https://other.example/c"),
      to("https://home.example/d"),
    );
    expect(await send(setting)).toMatchObject({ status: 200, text: "end" });
    expect(requested).toEqual([
      [url, all, "manual"],
      ["https://home.example/b", all, "manual"],
      ["https://other.example/c", { accept: "a/b" }, "manual"],
      ["https://home.example/d", { accept: "a/b" }, "manual"],
    ]);
  });

  it.each(["http://home.example/b", "https://home.example:444/b", "https://home.example.evil.example/b"])(
    "to %s is one to another origin, or none at all",
    async (location) => {
      const { setting, requested } = inOrder(to(location));
      await send(setting);
      for (const [, headers] of requested.slice(1)) expect(headers).toEqual({ accept: "a/b" });
    },
  );

  it.each(statuses)("with status %i is followed on its origin with the token", async (status) => {
    const { setting, requested } = inOrder(to("/b", null, status));
    expect(await send(setting)).toMatchObject({ status: 200, text: "end" });
    expect(requested[1]).toEqual(["https://home.example/b", all, "manual"]);
  });

  it("is followed five times", async () => {
    const { setting, requested } = inOrder(...Array.from({ length: 9 }, (_, at) => to(`/${at}`)));
    expect(await send(setting)).toMatchObject({ status: 302 });
    expect(requested).toHaveLength(6);
    const last = inOrder(...Array.from({ length: 5 }, (_, at) => to(`/${at}`)));
    expect(await send(last.setting)).toMatchObject({ status: 200 });
  });

  it("a redirect cancels its body and does not wait for it", async () => {
    const cancel = vi.fn<() => void>();
    const { setting } = inOrder(to("/b", new ReadableStream({ cancel })));
    await send(setting);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it.each(
    words(`
      file:///etc/passwd data:,x http:// javascript:1 http://home.example/
      http://169.254.169.254/latest/meta-data https://169.254.169.254/ https://127.0.0.1/
      https://localhost/ https://[::1]/ https://[::ffff:10.0.0.1]/ https://0x7f.1/
      https://2130706433/ https://printer.local/ https://user:password@other.example/
      https://user@other.example/ https://:password@other.example/
    `),
  )("to %s is the response", async (location) => {
    const { setting, requested } = inOrder(to(location, "moved"));
    expect(await send(setting)).toMatchObject({ status: 302, text: "moved" });
    expect(requested).toHaveLength(1);
  });

  it("without a location is the response", async () => {
    const { setting, requested } = inOrder(new Response("where?", { status: 302 }));
    expect(await send(setting)).toMatchObject({ status: 302, text: "where?" });
    expect(requested).toHaveLength(1);
  });

  it.each([300, 304, 305, 306])("has not the status %i", async (status) => {
    const { setting, requested } = inOrder(new Response(null, { status, headers: { location: "/b" } }));
    expect(await send(setting)).toMatchObject({ status });
    expect(requested).toHaveLength(1);
  });

  it("is left to a browser, which hides its target, without custom headers", async () => {
    const hidden = Object.defineProperties(new Response(), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    const { setting, requested } = inOrder(hidden);
    expect(await send(setting)).toMatchObject({ status: 200, text: "end" });
    expect(requested).toEqual([
      [url, all, "manual"],
      [url, { accept: "a/b", authorization: `Bearer ${secret}` }, "follow"],
    ]);
  });

  it("within a private network is followed", async () => {
    const { setting } = inOrder(to("http://127.0.0.1/b"));
    expect(await send({ ...setting, baseUrl: "http://localhost" })).toMatchObject({ status: 200 });
  });
});

describe("a redirect of a page", () => {
  const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const page = { items: [], nextCursor: null };
  const redirected = (location: (search: string) => string) => {
    const fetch = async (at: string): Promise<Response> => {
      const { pathname, search } = new URL(at);
      return pathname.startsWith("/v1") ? to(location(search)) : Response.json(page);
    };
    return new StoreClient({ baseUrl: "https://home.example", token: secret, fetch });
  };

  it.each<[string, (search: string) => string]>([
    ["the same", (search) => `/moved${search}`],
    ["another order of the", (search) => `/moved?${search.slice(1).split("&").toReversed().join("&")}`],
    ["an addition to the", (search) => `/moved${search}&signature=a`],
  ])("is followed with %s query", async (_, location) => {
    const photos = await redirected(location).photos.list("S 1", { ...range, status: "failed" });
    expect(photos.items).toEqual([]);
  });

  it.each(["from", "to", "status", "limit", "region"])(
    "is not followed without its parameter %s",
    async (name) => {
      const client = redirected(
        (search) => `/moved${search.replace(new RegExp(`([?&])${name}=[^&]*`), "$1x=")}`,
      );
      await expect(
        client.photos.list("S 1", { ...range, status: "failed", limit: 5, extra: { region: "north" } }),
      ).rejects.toThrow("which is not followed");
    },
  );

  it("is followed by the `fetch` of a client, whatever its query is", async () => {
    const { fetch } = redirected(() => "/moved");
    expect(await (await fetch("https://home.example/v1/stores?limit=1")).json()).toEqual(page);
  });
});

it.each(statuses)("a redirect of a write with status %i is the response", async (status) => {
  const { setting, requested } = inOrder(to("/b", null, status));
  expect(await send(setting, { method: "PUT" })).toMatchObject({ status });
  expect(requested).toHaveLength(1);
});

describe("a host is private or public", () => {
  it.each(
    words(`
      localhost a.localhost a.localhost. printer.local metadata.google.internal router.home.arpa
      intranet intranet. 0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1
      169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 [::] [::1] [fe80::1] [fec0::1]
      [fd00::1] [fc00::1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [64:ff9b::a00:1] [2002:7f00:1::]
    `),
  )("%s is private", (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  it.each(
    words(`
      store.example localhost.example my.localhost.example store.mylocal 10.example
      10.0.0.1.example 1.1.1.1 8.64.0.1 100.63.0.1 100.128.0.1 126.0.0.1 169.253.0.1 172.15.0.1
      172.32.0.1 192.167.1.1 [2606:4700::1111] [2606:4700::7f00:1] [2606:2002:7f00:1::]
      [2606:fd00::1] [64:ff9b::a00:1:1] [::ffff:101:101] [64:ff9b::101:101] [2002:101:101::]
    `),
  )("%s is public", (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });
});
