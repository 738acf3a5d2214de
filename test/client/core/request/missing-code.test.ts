import { expect, it, vi } from "vitest";
import { ConnectionError } from "../../../../src/client/core/errors/errors.ts";
import { stubClient } from "../../store/stub-client.ts";

const missing = vi.hoisted(() => (): never => {
  throw new Error("Failed to fetch dynamically imported module");
});
vi.mock("../../../../src/client/core/request/redirect.ts", missing);
vi.mock("../../../../src/client/core/request/response-failure.ts", missing);

const missingErrors = "and the part of the package that reads such responses could not be loaded";

it.each([
  ["a redirect", 302, "no complete response: ", 2],
  ["an error", 404, `404, ${missingErrors}`, 1],
  ["a failure of the service", 503, `503, ${missingErrors}`, 2],
  ["a response that violates the contract", 200, `200, ${missingErrors}`, 1],
])("%s whose code cannot be loaded is a failed connection: %i", async (_, status, message, attempts) => {
  const headers = { location: "https://store.example/base/v1/stores/S-2" };
  const { client, sent } = stubClient(() => new Response("x", { status, headers }), {
    retry: { limit: 1, maxDelay: 1 },
  });
  const error: unknown = await client.stores.get("S").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: expect.stringContaining(message) as string, attempts });
  expect(sent).toHaveLength(attempts);
});

it("a write whose error cannot be loaded says that it may have been processed", async () => {
  const { client } = stubClient(() => new Response("x", { status: 500 }));
  const call = client.expositions.upsert("S", [
    { label: "A", expositionType: "FRIDGE_DRINKS", productCategories: ["DRINKS"] },
  ]);
  await expect(call).rejects.toThrow(/500, and the part .* may have processed the request/);
});
