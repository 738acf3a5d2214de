import { expect, it, vi } from "vitest";
import type { Fetch } from "../../src/core/options/options.ts";
import { ConnectionError, StoreClient } from "../../src/store/index.ts";

vi.mock("../../src/core/retry-engine.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

it("says that the connection was lost where the loss keeps the retries from being loaded, too", async () => {
  const fetch = vi.fn<Fetch>(() => Promise.reject(new TypeError("Failed to fetch")));
  const client = new StoreClient({ baseUrl: "https://store.example", token: "t", fetch });
  const error = await client.stores.get("S").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ attempts: 1, message: expect.stringContaining("Failed to fetch") as string });
  expect(fetch).toHaveBeenCalledOnce();
});
