import { expect, it } from "vitest";
import type { OperationId } from "../../src/mock/index.ts";
import { contractAsks } from "../operations/contract-asks.ts";
import { SEEDS, suiteOf } from "./suite.ts";

suiteOf("store", ({ operations, court }) => {
  it.each(operations)(
    "$id responds with 401 for a wrong token, and 503 if no token is configured",
    async (operation) => {
      await court().under(SEEDS);
      const [ask = {}] = contractAsks(court().ref, operation).good;
      expect((await court().ask(operation, { ...ask, secret: "wrong" })).status).toBe(401);
      await court().under({ ...SEEDS, store: { ...SEEDS.store, token: null } });
      expect((await court().ask(operation, ask)).status).toBe(503);
    },
  );

  const wrong: [OperationId, number, unknown, string][] = [
    ["getStore", 200, { storeId: 1 }, "must be string"],
    ["getStore", 200, "text", "must be object"],
    ["listStores", 200, { items: [] }, "nextCursor"],
    ["getContacts", 404, { error: { code: "not_found" } }, "message"],
    ["getStore", 418, {}, "Unable to match the returned status code"],
    [
      "getStore",
      400,
      { error: { message: "Not among its statuses" } },
      "Unable to match the returned status code",
    ],
  ];

  it.each(wrong)("Prism reports a wrong response: %s %i %j", async (id, status, body, told) => {
    const ref = await court().under(SEEDS);
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    ref.on(id).once({ status, body });
    const { violations } = await court().judge(operation, { path: { externalId: "S-1" } });
    expect(violations).toContain(told);
  });
});
