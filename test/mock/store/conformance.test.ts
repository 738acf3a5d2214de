import * as z from "zod/mini";
import { expect, test } from "vitest";
import { mockReadings } from "../../../generated/readings.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import * as schemas from "../../../generated/store.schemas.ts";
import type { ReadingsOption } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller } from "../caller.ts";

const BODIES: Partial<Record<StoreOperationId, unknown>> = {
  putStore: { name: "Whole", storeType: null, openingTimes: null, location: null, regionId: null },
  putContacts: {
    contacts: [
      { name: "A", phone: "1" },
      { name: "B", phone: "1", email: "b@c" },
    ],
  },
  putExpectations: {
    expectations: [
      {
        productCategory: null,
        displayType: "FRIDGE_DRINKS",
        weekday: 0,
        protocolTime: "08:00",
        expectedFillRatio: 1,
      },
    ],
  },
  putExpositions: { expositions: [{ label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" }] },
};

/** A request of an operation that is in order, for a seeded store. */
async function sent(caller: Caller, id: StoreOperationId) {
  const { method, path } = storeOperations[id];
  const exposition = caller.ref.state.store.expositions.get("S-1")?.[0]?.expositionId ?? "";
  const protocol = caller.ref.state.store.protocols.get("S-1")?.[0]?.protocolId ?? "";
  const filled = path
    .replace("{externalId}", "S-1")
    .replace("{expositionId}", exposition)
    .replace("{protocolId}", protocol);
  const query = /protocols$|photos$|fill-rates?$/.test(path) ? `?${ALL_TIME}` : "";
  const body = BODIES[id];
  return caller.send(method, filled + query, body === undefined ? undefined : JSON.stringify(body));
}

function schemaOf(id: StoreOperationId, status: number): z.ZodMiniType {
  if (status >= 400) return schemas.zStoreErrorBody;
  const name = `z${id.charAt(0).toUpperCase()}${id.slice(1)}Response`;
  const schema = Object.entries(schemas).find(([exported]) => exported === name)?.[1];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

const IDS = Object.keys(storeOperations) as StoreOperationId[];

/** All defaults, and every other reading on its own. */
const SETTINGS: ReadingsOption[] = [
  {},
  ...Object.entries(mockReadings).flatMap(([gap, [, ...others]]) =>
    others.map((reading) => ({ [gap]: reading })),
  ),
];

test.for(SETTINGS)("every answer conforms to the spec under %j", async (readings) => {
  const caller = new Caller({ readings });
  for (const id of IDS) {
    const { status, body } = await sent(caller, id);
    const { error } = z.safeParse(schemaOf(id, status), body);
    expect([id, status, error?.issues ?? []]).toEqual([id, status, []]);
  }
});

test("every operation succeeds under the default readings", async () => {
  const caller = new Caller();
  for (const id of IDS) expect([id, (await sent(caller, id)).status]).toEqual([id, 200]);
  expect(caller.ref.journal.unmet()).toEqual([]);
});
