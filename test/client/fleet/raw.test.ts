import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { anyData, key, pageOf, rejection, rows, stubClient, testKey } from "./stub-client.ts";
import { raw } from "../../../src/client/raw/index.ts";

describe("raw(fleet)", () => {
  it("is typed by the document and goes over the same transport", async () => {
    const { client, sent } = stubClient(() => json(pageOf(rows(1), 1, 1)), { apiVersion: "v1" });
    const { data } = await raw(client).GET("/vehicles", { params: { query: { limit: 7 } } });
    expect(data?.data).toEqual(rows(1));
    expect(sent[0]).toMatchObject({ path: "/api/third-party/v1/vehicles", query: { limit: "7" } });
    expect(sent[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, "x-service-api-version": "v1" });
  });

  it.each([400, 401, 403, 404, 500])("returns a documented %i as an error, with any body", async (status) => {
    const { client } = stubClient(() => new Response("odd", { status }), { retry: 0 });
    const { error, response } = await raw(client).GET("/damages/{id}", { params: { path: { id: "d" } } });
    expect(error).toBe("odd");
    expect(response.status).toBe(status);
  });

  it("returns an undocumented status as an error", async () => {
    const teapot = stubClient(() => json({ errors: [] }, { status: 418 }));
    const { error, response } = await raw(teapot.client).GET("/vehicles");
    expect([error, response.status]).toEqual([{ errors: [] }, 418]);
  });

  it("sends each request to the environment of its key", async () => {
    const { client, sent } = stubClient(() => json(anyData), {
      environments: { production: "https://live.example/api/third-party/v1" },
      baseUrl: undefined as never,
    });
    await raw(client).GET("/vehicles/{id}", { params: { path: { id: "v/1" } } });
    expect(sent[0]?.url).toBe("https://live.example/api/third-party/v1/vehicles/v%2F1");
  });
});

describe("client.fetch of a client with two environments", () => {
  const environments = {
    production: "https://live.example/api/third-party/v1",
    sandbox: "https://sandbox.example/api/third-party/v1",
  };

  it("rejects a URL of the other environment, which the key does not open", async () => {
    const { client, sent } = stubClient(undefined, { environments, baseUrl: undefined as never });
    await client.fetch(`${environments.production}/vehicles/v-1`);
    expect(await rejection(client.fetch(`${environments.sandbox}/vehicles/v-1`))).toMatchObject({
      message: `GET https://sandbox.example: not sent: url: must be below ${environments.production}`,
    });
    expect(sent.map(({ url }) => url)).toEqual([`${environments.production}/vehicles/v-1`]);
  });

  it("with a key function, lets the key select the environment of `raw`", async () => {
    const options = { environments, baseUrl: undefined as never, key: () => testKey };
    const { client, sent } = stubClient(undefined, options);
    await raw(client).GET("/vehicles/{id}", { params: { path: { id: "v-1" } } });
    expect(sent[0]?.url).toBe(`${environments.sandbox}/vehicles/v-1`);
  });

  it("with a key function, client.fetch rejects other URLs and names both base URLs", async () => {
    const options = { environments, baseUrl: undefined as never, key: () => key };
    const { client } = stubClient(undefined, options);
    expect(await rejection(client.fetch("https://other.example/vehicles"))).toMatchObject({
      message: `GET https://other.example: not sent: url: must be below ${environments.production} or ${environments.sandbox}`,
    });
  });
});
