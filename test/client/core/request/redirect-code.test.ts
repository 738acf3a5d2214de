import { expect, it, vi } from "vitest";
import { ConnectionError } from "../../../../src/client/core/errors/errors.ts";
import { stubClient } from "../../store/stub-client.ts";

vi.mock("../../../../src/client/core/request/redirect.ts", () => {
  throw new Error("Failed to fetch dynamically imported module");
});

it("a redirect whose code cannot be loaded is a failed connection", async () => {
  const location = "https://store.example/base/v1/stores/S-2";
  const redirect = () => new Response(null, { status: 302, headers: { location } });
  const { client, sent } = stubClient(redirect, { retry: { limit: 1, maxDelay: 1 } });
  await expect(client.stores.get("S-1")).rejects.toThrow(ConnectionError);
  expect(sent).toHaveLength(2);
});
