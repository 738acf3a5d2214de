import { expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { requestedPage, pageOf, stubClient } from "./stub-client.ts";

it("a numeric id that comes again is drift", async () => {
  const all = [{ id: 1 }, { id: 2 }, { id: 2, again: true }, { id: 3 }];
  const { client } = stubClient((sent) => json(pageOf(all, requestedPage(sent), 2)));
  const drift = [];
  for await (const page of client.vehicles.list().pages()) drift.push(page.drift);
  expect(drift).toEqual([
    [],
    [
      { kind: "repeated-id", page: 2, id: 2 },
      { kind: "missing", page: 2, count: 3, expected: 4 },
    ],
  ]);
});

it("a page or an entity with errors besides its data is an error", async () => {
  const errors = [{ code: "INTERNAL", message: "partial" }];
  const { client } = stubClient(({ path }) =>
    json(path.endsWith("/vehicles") ? { ...pageOf([], 1, 2), errors } : { data: { id: "v-1" }, errors }),
  );
  const message = "200 with an error in its body";
  await expect(client.vehicles.list().toArray()).rejects.toThrow(message);
  await expect(client.vehicles.get("v-1")).rejects.toThrow(message);
});

it("data come without an envelope's meta", async () => {
  const { client } = stubClient(() => json({ data: { id: "v-1" } }));
  expect(await client.vehicles.get("v-1")).toEqual({ id: "v-1" });
});

it("a page whose data or meta come twice is an error", async () => {
  const page = JSON.stringify(pageOf([{ id: 1 }], 1, 2)).slice(1);
  for (const name of ["data", "meta"]) {
    const { client } = stubClient(() => new Response(`{"${name}":[],${page}`));
    await expect(client.vehicles.list().toArray()).rejects.toThrow(`\`${name}\` twice`);
  }
});

it.each([202, 203, 207, 226])("a write with status %i is not done", async (status) => {
  const { client } = stubClient(() => json({ data: { id: "v-1" } }, { status }));
  await expect(client.vehicles.update("v-1", { brand: "b" })).rejects.toThrow(`${status} `);
});

it("a deletion may be accepted, with or without a body", async () => {
  const { client } = stubClient(() => json({ data: null }, { status: 202 }));
  expect(await client.vehicles.delete("v-1")).toBeNull();
});
