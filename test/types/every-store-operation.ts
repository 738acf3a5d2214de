// Compiled, not run: what a consumer's editor shows and what the compiler pays for every operation.
import type { StoreClient } from "../../src/store/index.ts";

export async function everyStoreOperation(client: StoreClient): Promise<unknown[]> {
  const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  return [
    await client.stores.list({ limit: 5 }),
    await client.stores.get("S"),
    await client.stores.upsert("S", { name: "x" }),
    await client.contacts.get("S"),
    await client.contacts.replace("S", [{ name: "x", phone: "1" }]),
    await client.expectations.get("S"),
    await client.expectations.replace("S", []),
    await client.expositions.get("S"),
    await client.expositions.upsert("S", []),
    await client.protocols.list("S", range),
    await client.protocols.get("S", "P"),
    await client.photos.list("S", range),
    await client.fillRates.forStore("S", range),
    await client.fillRates.forExposition("S", "E", range),
    await client.fillRates.across(range),
  ];
}
