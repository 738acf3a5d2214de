import { expect, it } from "vitest";
import type { OperationId } from "../../src/mock/index.ts";
import type { RequestCase } from "../operations/request-cases.ts";
import { contractCases } from "../operations/contract-cases.ts";
import type { ApiOperation } from "../operations/operations.ts";
import { SEEDS, suiteOf } from "./suite.ts";

const keyOf = (digits: string): string => `ref_${digits.repeat(32)}`;
const [ALL_SCOPES, NO_SCOPES, EXPIRED] = ["0a", "0b", "0c"].map(keyOf) as [string, string, string];

suiteOf("fleet", ({ operations, prismProxy }) => {
  it.each(operations)(
    "$id responds with 401 for each kind of invalid key, and 403 for a key without the scope",
    async (operation) => {
      const ref = await prismProxy().start({
        ...SEEDS,
        fleet: {
          ...SEEDS.fleet,
          keys: [
            { key: ALL_SCOPES, scopes: [] },
            {
              key: NO_SCOPES,
              scopes: [operation.method === "GET" ? "damages:write" : "vehicle-fields:read"],
            },
            { key: EXPIRED, scopes: [], expiresAt: "2025-01-01T00:00:00Z" },
          ],
        },
      });
      const [requestCase = {}] = contractCases(ref, operation).good;
      for (const secret of ["no key", keyOf("0e"), EXPIRED])
        expect((await prismProxy().send(operation, { ...requestCase, secret })).status).toBe(401);
      for (const secret of [ALL_SCOPES, NO_SCOPES])
        expect((await prismProxy().send(operation, { ...requestCase, secret })).status).toBe(403);
    },
  );

  it("Prism reports only the missing body for a response without one (errors.undocumented-bodies: empty)", async () => {
    const ref = await prismProxy().start({ ...SEEDS, readings: { "errors.undocumented-bodies": "empty" } });
    for (const operation of operations) {
      const { good, bad } = contractCases(ref, operation);
      for (const requestCase of bad) expect(await bodiless(operation, requestCase)).toBe(true);
      ref.on(operation.id).once({ status: 500 });
      expect(await bodiless(operation, good[0] ?? {})).toBe(true);
    }
  });

  async function bodiless(operation: ApiOperation, requestCase: RequestCase): Promise<boolean> {
    const { validation } = JSON.parse((await prismProxy().check(operation, requestCase)).violations) as {
      validation: { message: string }[];
    };
    return (
      validation.length === 1 && validation[0]?.message.startsWith('The received media type ""') === true
    );
  }

  const wrong: [OperationId, number, unknown, string][] = [
    ["getDamage", 200, { data: { id: 1 }, meta: { version: "v1" } }, "must be string"],
    ["getVehicle", 200, { data: {} }, "meta"],
    ["listVehicles", 200, { data: {}, meta: { version: "v1" } }, "must be array"],
    ["getVehicle", 403, { errors: [{ code: "FORBIDDEN", message: "", details: {} }] }, "required"],
    ["getVehicle", 503, {}, "Unable to match the returned status code"],
  ];

  it.each(wrong)("Prism reports a wrong response: %s %i %j", async (id, status, body, violation) => {
    const ref = await prismProxy().start(SEEDS);
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    ref.on(id).once({ status, body });
    const { violations } = await prismProxy().check(operation, { path: { id: "vehicle-1" } });
    expect(violations).toContain(violation);
  });
});
