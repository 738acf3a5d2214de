import ky from "ky";
import { Agent, fetch as undiciFetch } from "undici";
import { Agent as Agent7, fetch as undici7Fetch } from "undici7";
import { expectTypeOf, test } from "vitest";
import type { Fetch } from "../../../src/client/core/transport/fetch.ts";
import type { StoreClientOptions } from "../../../src/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";

const connection = { baseUrl: "https://stores.example", token: "t" };

test("the option fetch takes the platform's, undici's own, ky and functions around them", () => {
  const [dispatcher, dispatcher7] = [new Agent(), new Agent7()];
  const options: StoreClientOptions[] = [
    { ...connection, fetch },
    { ...connection, fetch: globalThis.fetch },
    { ...connection, fetch: undiciFetch },
    { ...connection, fetch: undici7Fetch },
    { ...connection, fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) },
    { ...connection, fetch: (url, init) => undici7Fetch(url, { ...init, dispatcher: dispatcher7 }) },
    { ...connection, fetch: (url, init) => fetch(url, { ...init, cache: "no-store" }) },
    { ...connection, fetch: ky },
    { ...connection, fetch: ky.create({ retry: 0 }) },
    { ...connection, fetch: createReferenceServer().fetch },
    { ...connection, fetch: async () => new Response("{}") },
    { ...connection, fetch: async (url: string, init: RequestInit) => fetch(url, init) },
    { ...connection, fetch: async (url: string | URL | Request, init?: RequestInit) => fetch(url, init) },
  ];
  expectTypeOf(options).toEqualTypeOf<StoreClientOptions[]>();
});

test("the option fetch takes nothing else", () => {
  expectTypeOf(async () => "{}").not.toExtend<Fetch>();
  expectTypeOf(async (_: number) => new Response()).not.toExtend<Fetch>();
});
