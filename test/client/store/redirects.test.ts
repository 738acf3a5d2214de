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
