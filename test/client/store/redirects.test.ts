import { describe, expect, it } from "vitest";
import { UnexpectedResponseError } from "../../../src/client/store/index.ts";
import { respondWith, type Handler, socketServer } from "../core/socket-server.ts";
import { socketClient } from "./socket-client.ts";
import { store, token } from "./stub-client.ts";

const found = respondWith(200, JSON.stringify(store));
const redirect = (status: number, location: string): Handler => respondWith(status, "moved", { location });

describe("a redirect of a read", () => {
  it.each([301, 302, 303, 307, 308])("%i is followed on the same origin with the token", async (status) => {
    const { url, requests } = await socketServer((request, response, index) =>
      (index === 0 ? redirect(status, "/elsewhere") : found)(request, response, index),
    );
    expect(await socketClient(url).stores.get("S")).toEqual(store);
    expect(requests.map((request) => request.url)).toEqual(["/v1/stores/S", "/elsewhere"]);
    expect(requests[1]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it("is followed to another origin and back without the token and custom headers", async () => {
    const home = await socketServer((request, response, index) =>
      (index === 0 ? redirect(302, `${other.url}/there`) : found)(request, response, index),
    );
    const other = await socketServer(redirect(302, `${home.url}/back`));
    const client = socketClient(home.url, { headers: { cookie: "a=b", "x-own": "1" } });
    expect(await client.stores.get("S")).toEqual(store);
    const [first, ...later] = [home.requests[0], ...other.requests, home.requests[1]];
    expect(first?.headers).toMatchObject({ authorization: `Bearer ${token}`, cookie: "a=b" });
    for (const request of later) {
      expect(JSON.stringify(request?.rawHeaders)).not.toMatch(/authorization|cookie|x-own/i);
    }
  });

  it("that never ends is an UnexpectedResponseError", async () => {
    const { url, requests } = await socketServer((request, response, index) =>
      redirect(302, `/${index}`)(request, response, index),
    );
    const error = await socketClient(url)
      .stores.get("S")
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(requests.length).toBeLessThanOrEqual(6);
  });

  it.each(["file:///etc/passwd", "http://", ""])("to %j is an UnexpectedResponseError", async (location) => {
    const { url, requests } = await socketServer(redirect(302, location));
    const error = await socketClient(url)
      .stores.get("S")
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(requests.length).toBeLessThanOrEqual(6);
  });
});

describe("a redirect of a write", () => {
  it.each([301, 302, 303, 307, 308])("%i is never followed", async (status) => {
    const other = await socketServer(found);
    const { url, requests } = await socketServer(redirect(status, `${other.url}/there`));
    const error = await socketClient(url)
      .contacts.replace("S", [])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status, location: `${other.url}/there` });
    expect([requests.length, other.requests.length]).toEqual([1, 0]);
  });
});
