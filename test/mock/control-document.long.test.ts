import { describe, expect, it } from "vitest";
import { CONTROL_BODY_LIMIT } from "../../src/mock/control/control-api.ts";
import { controlRoutes } from "../../src/mock/control/routes.ts";
import { controlSamples, sampleSecrets } from "./control-samples.ts";
import { type ControlClient, document, operations, startControlled, validatorOf } from "./control-server.ts";

/** A server with requests in its journal, and an override. */
async function prepareClient(): Promise<ControlClient> {
  const client = await startControlled({ store: { stores: 5 } });
  await client.post("/overrides", { operation: "getDamage", response: { status: 500 } });
  expect(await client.store("/v1/stores/S-1")).toBe(200);
  expect(await client.store("/v1/stores?limit=0")).toBe(400);
  return client;
}

/** The first sample of an operation. */
function sampleOf(id: string): { path: string; body?: unknown } {
  const [sample] = controlSamples[id] ?? [];
  if (sample === undefined) throw new Error(`${id} has no sample`);
  return sample;
}

const guarded = operations.filter(({ id }) => id !== "getHealth");
const withBody = operations.filter(({ body }) => body !== undefined);

describe("the OpenAPI document of the control API", () => {
  it("has the same routes as the server", () => {
    const served = Object.keys(controlRoutes);
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(served.toSorted());
    expect(Object.keys(controlSamples).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it("has the same query parameters as the server", () => {
    for (const { method, path, parameters } of operations) {
      const route = controlRoutes[`${method} ${path}`];
      const documented = parameters.filter((one) => one.in === "query").map(({ name }) => name);
      expect([path, documented.toSorted()]).toEqual([path, route?.query.toSorted()]);
    }
  });

  it("states the size limit of a body", () => {
    const { description } = document["info"] as { description: string };
    expect(description.replaceAll("\n", " ")).toContain(`${CONTROL_BODY_LIMIT} bytes`);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    "describes the requests and responses of %s",
    async (id, { method, body }) => {
      for (const sample of controlSamples[id] ?? []) {
        const client = await prepareClient();
        const validate = validatorOf(body ?? {});
        const isDocumented = sample.body === undefined || validate(sample.body);
        expect([sample.body, isDocumented, validate.errors ?? null]).toEqual([sample.body, true, null]);
        const response = await client.send(method, sample.path, { body: sample.body });
        expect(response.status).toBeLessThan(300);
      }
    },
  );

  it("has exactly the statuses with which the routes respond", async () => {
    const client = await prepareClient();
    const call = (id: string, method: string, headers: Record<string, string>, anonymous = false) =>
      client.send(method, sampleOf(id).path, { headers, anonymous });
    for (const { id, method } of guarded) {
      expect((await call(id, method, {}, true)).status).toBe(401);
      expect((await call(id, method, { origin: "https://page.test" })).status).toBe(403);
      const { path, body } = sampleOf(id);
      expect((await client.send(method, `${path}?x=1`, { body })).body).toEqual({
        error: expect.stringMatching(/^Unknown query parameter "x"\. Expected /) as string,
      });
    }
    const otherHost = { headers: { host: "rebound.test" }, anonymous: true };
    expect((await client.send("GET", "/health", otherHost)).status).toBe(421);
    for (const { method, path } of operations.filter((one) => one.path.includes("{id}")))
      expect((await client.send(method, path.replace("{id}", "99"))).status).toBe(404);
    for (const { id, method } of withBody) {
      const { path } = sampleOf(id);
      const text = { "content-type": "text/plain" };
      expect((await client.send(method, path, { body: {}, headers: text })).status).toBe(415);
      const large = { "content-length": String(CONTROL_BODY_LIMIT + 1) };
      expect((await call(id, method, { ...large, "content-type": "application/json" })).status).toBe(413);
    }
    expect((await client.post("/journal/expect", { operation: "listDamages" })).status).toBe(409);
    for (const { id, method } of operations.filter((one) => one.method === "GET"))
      expect((await call(id, method, {})).status).toBe(200);
    // the routes that change something; the last one removes the override that others need
    const changing = operations.filter(({ method }) => method !== "GET");
    const last = ["removeOverride", "clearOverrides", "clearJournal", "importState", "seed", "reset"];
    for (const { id, method } of changing.toSorted(
      (one, other) => last.indexOf(one.id) - last.indexOf(other.id),
    )) {
      const { path, body } = sampleOf(id);
      expect([id, (await client.send(method, path, { body })).status]).toEqual([id, expect.any(Number)]);
    }
    const documented = operations.flatMap(({ id, operation }) =>
      Object.keys(operation.responses).map((status) => `${id} ${status}`),
    );
    expect([...client.met].toSorted()).toEqual(documented.toSorted());
  });

  it("contains no secret except those that a request creates", async () => {
    const client = await prepareClient();
    const { token, keys } = client.ref;
    const headers = { authorization: `Bearer ${token}`, "x-own": token };
    const response = { status: 200, body: { echo: token }, headers: { "x-echo": token } };
    await client.post("/overrides", { operation: "listStores", matcher: { headers }, response });
    await client.store(`/v1/stores/${token}`, "a-wrong-token-of-somebody");
    const secrets = [token, ...keys.map(({ key }) => key), ...sampleSecrets];
    secrets.push("a-wrong-token-of-somebody");
    const creating = new Set(["addToken", "addKey"]);
    const [creators, others] = [true, false].map((creates) =>
      operations.filter(({ id }) => creating.has(id) === creates),
    );
    for (const { id, method } of creators ?? [])
      for (const { path, body } of controlSamples[id] ?? []) await client.send(method, path, { body });
    for (const { id, method } of others ?? []) {
      for (const { path, body } of controlSamples[id] ?? []) {
        const { text } = await client.send(method, path, { body });
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      }
    }
  });
});
