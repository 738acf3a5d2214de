import { expect, it } from "vitest";
import type { OperationId } from "../../src/mock/index.ts";
import { contractCases } from "../operations/contract-cases.ts";
import { SEEDS, suiteOf } from "./suite.ts";

suiteOf("store", ({ operations, prismProxy }) => {
  it.each(operations)(
    "$id responds with 401 for a wrong token, and 503 if no token is configured",
    async (operation) => {
      await prismProxy().start(SEEDS);
      const [requestCase = {}] = contractCases(prismProxy().ref, operation).good;
      expect((await prismProxy().send(operation, { ...requestCase, secret: "wrong" })).status).toBe(401);
      await prismProxy().start({ ...SEEDS, store: { ...SEEDS.store, token: null } });
      expect((await prismProxy().send(operation, requestCase)).status).toBe(503);
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

  it.each(wrong)("Prism reports a wrong response: %s %i %j", async (id, status, body, violation) => {
    const ref = await prismProxy().start(SEEDS);
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    ref.on(id).once({ status, body });
    const { violations } = await prismProxy().check(operation, { path: { externalId: "S-1" } });
    expect(violations).toContain(violation);
  });
});
