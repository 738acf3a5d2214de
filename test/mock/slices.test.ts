import { expect, onTestFinished, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

const range = "from=2025-12-01T00:00:00Z&to=2026-01-02T00:00:00Z";
const target = `/v1/fill-rate?${range}&groupBy=region`;

/** Requests the fill rates of 2 000 stores, then one store. Returns which response came first, and the groups. */
async function race(send: (path: string) => Promise<Response>): Promise<{ first: string; body: unknown }> {
  const order: string[] = [];
  const all = send(target).then(async (response) => {
    order.push("fill rates");
    return (await response.json()) as unknown;
  });
  const one = send("/v1/stores/S-1").then(() => order.push("store"));
  const [body] = await Promise.all([all, one]);
  return { first: order[0] ?? "", body };
}

function server() {
  const ref = createReferenceServer({ store: { stores: 2_000 } });
  const headers = { authorization: `Bearer ${ref.token}` };
  const atOnce = ref.respond({ base: "store", method: "GET", target, ...headers });
  return { ref, headers, expected: JSON.parse(String(atOnce.body)) as unknown };
}

test("other requests get responses over fetch while the fill rates of many stores are computed", async () => {
  const { ref, headers, expected } = server();
  const { first, body } = await race((path) => ref.fetch(`${ref.storeUrl}${path}`, { headers }));
  expect(first).toBe("store");
  expect(body).toEqual(expected);
});

test("other requests get responses over HTTP while the fill rates of many stores are computed", async () => {
  const { ref, headers, expected } = server();
  const served = await serve(ref, { port: 0 });
  onTestFinished(() => served.close());
  const { first, body } = await race((path) => fetch(`${served.storeUrl}${path}`, { headers }));
  expect(first).toBe("store");
  expect(body).toEqual(expected);
});

test("a store that is deleted during the computation is left out", async () => {
  const { ref, headers } = server();
  const response = ref.fetch(`${ref.storeUrl}/v1/fill-rate?${range}&groupBy=store`, { headers });
  await new Promise((resolve) => setImmediate(resolve));
  ref.state.store.stores.delete("S-1999");
  const text = await (await response).text();
  expect(text).toContain('"S-1"');
  expect(text).not.toContain('"S-1999"');
});

test("a failure in a later slice of the computation is a 500", async () => {
  const { ref, headers } = server();
  const response = ref.fetch(`${ref.storeUrl}${target}`, { headers });
  await new Promise((resolve) => setImmediate(resolve));
  ref.state.store.photos.set("S-1999", [null as never]);
  expect((await response).status).toBe(500);
});
