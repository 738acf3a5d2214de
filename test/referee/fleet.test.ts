import { expect, it } from "vitest";
import type { OperationId } from "../../src/mock/index.ts";
import type { Ask } from "../operations/asks.ts";
import { contractAsks } from "../operations/contract-asks.ts";
import type { ApiOperation } from "../operations/operations.ts";
import { SEEDS, suiteOf } from "./suite.ts";

const keyOf = (digits: string): string => `ref_${digits.repeat(32)}`;
const [ALMIGHTY, POWERLESS, EXPIRED, REVOKED] = ["0a", "0b", "0c", "0d"].map(keyOf) as [
  string,
  string,
  string,
  string,
];

suiteOf("fleet", ({ operations, court }) => {
  it.each(operations)(
    "$id responds with 401 for each kind of invalid key, and 403 for a key without the scope",
    async (operation) => {
      const ref = await court().under({
        ...SEEDS,
        fleet: {
          ...SEEDS.fleet,
          keys: [
            { key: ALMIGHTY, scopes: [] },
            {
              key: POWERLESS,
              scopes: [operation.method === "GET" ? "damages:write" : "vehicle-fields:read"],
            },
            { key: EXPIRED, scopes: [], expiresAt: "2025-01-01T00:00:00Z" },
            { key: REVOKED, scopes: [], revoked: true },
          ],
        },
      });
      const [ask = {}] = contractAsks(ref, operation).good;
      for (const secret of ["no key", keyOf("0e"), EXPIRED, REVOKED])
        expect((await court().ask(operation, { ...ask, secret })).status).toBe(401);
      for (const secret of [ALMIGHTY, POWERLESS])
        expect((await court().ask(operation, { ...ask, secret })).status).toBe(403);
    },
  );

  it("Prism reports only the missing body for a response without one (errors.unshown-bodies: empty)", async () => {
    const ref = await court().under({ ...SEEDS, readings: { "errors.unshown-bodies": "empty" } });
    for (const operation of operations) {
      const { good, bad } = contractAsks(ref, operation);
      for (const ask of bad) expect(await bodiless(operation, ask)).toBe(true);
      ref.on(operation.id).once({ status: 500 });
      expect(await bodiless(operation, good[0] ?? {})).toBe(true);
    }
  });

  async function bodiless(operation: ApiOperation, ask: Ask): Promise<boolean> {
    const { validation } = JSON.parse((await court().judge(operation, ask)).violations) as {
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

  it.each(wrong)("Prism reports a wrong response: %s %i %j", async (id, status, body, told) => {
    const ref = await court().under(SEEDS);
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    ref.on(id).once({ status, body });
    const { violations } = await court().judge(operation, { path: { id: "vehicle-1" } });
    expect(violations).toContain(told);
  });
});
