import { expect, it, vi } from "vitest";
import type { SchemaCheck } from "../../../../src/client/core/request/schema-check.ts";
import { smallApi } from "./small-api.ts";

const fetch = async (): Promise<Response> => Response.json({ data: { id: "1" } });

it("schemas are loaded once for all writes", async () => {
  const loadSchemas = vi.fn<() => Promise<SchemaCheck>>(async () => () => []);
  const api = smallApi({ fetch, loadSchemas });
  await Promise.all([api.call("createThing", { body: {} }), api.call("createThing", { body: {} })]);
  await api.call("createThing", { body: {} });
  expect(loadSchemas).toHaveBeenCalledOnce();
});

it("schemas that could not be loaded are loaded again by the next write", async () => {
  const loadSchemas = vi.fn<() => Promise<SchemaCheck>>(async () => () => []);
  loadSchemas.mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
  const api = smallApi({ fetch, loadSchemas });
  await expect(api.call("createThing", { body: {} })).rejects.toThrow("dynamically imported module");
  expect(await api.call("createThing", { body: {} })).toEqual({ id: "1" });
  expect(loadSchemas).toHaveBeenCalledTimes(2);
});
