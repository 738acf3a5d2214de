// Finding 3: the base URL and the route were concatenated, so that a route could change the host.
import { describe, expect, it } from "vitest";
import type { StoreClient } from "../../../src/client/store/index.ts";
import { clientOf, rejection } from "./attack.ts";
import { raw } from "../../../src/client/raw/index.ts";

const hosts: string[] = [];
const fetch = async (url: string): Promise<Response> => {
  hosts.push(new URL(url).host);
  return Response.json({});
};

type Get = (client: StoreClient, path: string) => PromiseLike<unknown>;
const viaRaw: Get = (client, path) => raw(client).GET(path as "/v1/stores");
const based: Get = (client, path) =>
  raw(client).GET("/v1/stores", { baseUrl: `https://stores.example.com${path}` });
const direct: Get = (client, path) => client.fetch(`https://stores.example.com${path}`);

describe("the token is not sent to another host", () => {
  it.each([
    ".evil.example/x",
    "@evil.example/x",
    ":443@evil.example/x",
    ":8443/x",
    "\\.evil.example/x",
    "%2eevil.example/x",
    "\t.evil.example/x",
  ])("the token is not sent to the other host that the path %j would make of the base URL", async (path) => {
    for (const baseUrl of ["https://stores.example.com", "https://stores.example.com/api"]) {
      for (const get of [viaRaw, based, direct]) {
        hosts.length = 0;
        await rejection(get(clientOf({ baseUrl, fetch }), path)).catch(() => {});
        expect(hosts.filter((host) => host !== "stores.example.com")).toEqual([]);
      }
    }
  });

  it("whose URL begins like the base URL", async () => {
    hosts.length = 0;
    const client = clientOf({ baseUrl: "https://stores.example.com/api", fetch });
    expect(await rejection(raw(client).GET("less/v1/stores" as "/v1/stores"))).toMatchObject({
      name: "InvalidRequestError",
      message: "GET https://stores.example.com: not sent: url: must be below https://stores.example.com/api",
    });
    expect(hosts).toEqual([]);
  });
});
