import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { heap } from "../proof/heap.ts";

const requests = 100_000;
const ceiling = 48 * 1024 * 1024;

// issue 15: the memory of the journal and the overrides is bounded for any requests
test("100 000 requests of every kind leave the heap below a ceiling", { timeout: 300_000 }, async () => {
  const ref = createReferenceServer({ store: { stores: 100 } });
  const authorization = `Bearer ${ref.token}`;
  const large = JSON.stringify({ name: "n".repeat(20_000) });
  const kinds: (() => Promise<Response>)[] = [
    () => ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, { headers: { authorization } }),
    () => ref.fetch(`${ref.storeUrl}/v1/stores?limit=5`, { headers: { authorization } }),
    () =>
      ref.fetch(`${ref.storeUrl}/v1/stores/S-2`, { method: "PUT", headers: { authorization }, body: large }),
    () => ref.fetch(`${ref.storeUrl}/v1/stores/S-1`),
    () => ref.fetch(`${ref.storeUrl}/v1/nothing?${"a=1&".repeat(50)}`, { headers: { authorization } }),
    () =>
      ref.fetch(`${ref.storeUrl}/v1/stores/S-3`, { method: "PUT", headers: { authorization }, body: "{" }),
  ];
  for (let waiting = 0; waiting < 90; waiting += 1) ref.on("getContacts").once({ status: 500 });
  const statuses = new Set<number>();
  const send = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const response = await (kinds[at % kinds.length] as () => Promise<Response>)();
      statuses.add(response.status);
      await response.text();
    }
  };
  await send(requests / 10);
  const before = heap();
  await send((requests * 9) / 10);
  expect(heap() - before).toBeLessThan(ceiling);
  expect([...statuses].toSorted((one, other) => one - other)).toEqual([200, 400, 401, 404]);
});
