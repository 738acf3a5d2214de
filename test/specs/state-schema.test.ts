import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ExportedState, createReferenceServer } from "../../src/mock/index.ts";

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

const specs = new URL("../../specs/", import.meta.url);
const schema = JSON.parse(readFileSync(new URL("state.schema.json", specs), "utf8")) as {
  $defs: Record<string, ObjectSchema>;
};
const { components } = parse(readFileSync(new URL("store.openapi.yaml", specs), "utf8")) as {
  components: { schemas: Record<string, ObjectSchema> };
};
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

/** Whether the server accepts a state. */
function isAccepted(state: unknown): boolean {
  try {
    createReferenceServer({ state: state as ExportedState });
    return true;
  } catch {
    return false;
  }
}

describe("the schema of states", () => {
  it("accepts the exported state of a server, with deleted rows", async () => {
    const ref = createReferenceServer({ store: { stores: 5 } });
    const headers = { authorization: `Bearer ${ref.keys[0]?.key}`, "x-service-api-version": "v1" };
    await ref.fetch(`${ref.fleetUrl}/damages/damage-1`, { method: "DELETE", headers });
    expect(ref.state.fleet.damages.has("damage-1")).toBe(false);
    expect(validate(JSON.parse(JSON.stringify(ref.exportState())))).toBe(true);
    expect(validate.errors).toBeNull();
  });

  const store = createReferenceServer({ store: { stores: 1 } }).exportState().store?.stores?.[0]?.store;

  it.each<[string, unknown, boolean]>([
    ["an empty state", { version: 1 }, true],
    ["a store without lists", { version: 1, store: { stores: [{ store }] } }, true],
    [
      "an unlisted type",
      { version: 1, store: { stores: [{ store: { ...store, storeType: "Shop" } }] } },
      true,
    ],
    ["a list", [], false],
    ["no version", {}, false],
    ["another version", { version: 2 }, false],
    ["an unknown property", { version: 1, shops: [] }, false],
    [
      "a store without a name",
      { version: 1, store: { stores: [{ store: { ...store, name: undefined } }] } },
      false,
    ],
    [
      "a store without an ID",
      { version: 1, store: { stores: [{ store: { ...store, externalId: null } }] } },
      false,
    ],
    ["a row without an ID", { version: 1, fleet: { vehicles: [{}] } }, false],
    ["an unknown resource", { version: 1, sandbox: { cars: [] } }, false],
    ["a negative count", { version: 1, generatedIds: -1 }, false],
  ])("agrees with the server on %s", (_name, state, isValid) => {
    const sent: unknown = JSON.parse(JSON.stringify(state));
    expect([validate(sent), isAccepted(sent)]).toEqual([isValid, isValid]);
  });

  it.each(["Store", "OpeningTime", "Contact", "Expectation", "Exposition"])(
    "has the same properties of %s as the contract",
    (name) => {
      const [own, expected] = [schema.$defs[name], components.schemas[name]];
      expect(Object.keys(own?.properties ?? {})).toEqual(Object.keys(expected?.properties ?? {}));
      expect(own?.required).toEqual(expected?.required);
      expect(own?.required?.length).toBeGreaterThan(0);
    },
  );
});
