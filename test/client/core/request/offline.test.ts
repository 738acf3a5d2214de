import { registerHooks } from "node:module";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Fetch } from "../../../../src/client/core/options/options.ts";
import { ConnectionError, StoreClient } from "../../../../src/client/store/index.ts";
import { store } from "../../store/stub-client.ts";

it("retries a read if no module can be loaded", async () => {
  const loaded = vi.fn<(specifier: string) => void>();
  const hooks = registerHooks({
    resolve(specifier) {
      loaded(specifier);
      throw new TypeError("Failed to fetch dynamically imported module");
    },
  });
  onTestFinished(() => hooks.deregister());
  const fetch = vi.fn<Fetch>(() => Promise.reject(new TypeError("Failed to fetch")));
  const options = { baseUrl: "https://store.example", token: "some-token", fetch, retry: { maxDelay: 1 } };
  const client = new StoreClient(options);
  const error = await client.stores.get("S").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ attempts: 3 });
  fetch.mockImplementationOnce(() => Promise.reject(new TypeError("Failed to fetch")));
  fetch.mockImplementationOnce(async () => Response.json(store));
  expect(await client.stores.get("S")).toEqual(store);
  expect(fetch).toHaveBeenCalledTimes(5);
  expect(loaded).not.toHaveBeenCalled();
});
