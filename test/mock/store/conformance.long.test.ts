import * as z from "zod/mini";
import { expect, test } from "vitest";
import { mockReadings } from "../../../generated/readings.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import * as schemas from "../../../generated/store.schemas.ts";
import type { ReadingsOption } from "../../../src/mock/index.ts";
import type { RequestCase } from "../../operations/request-cases.ts";
import { sendCase, sampleOf } from "../../operations/contract-cases.ts";
import { operationsOf } from "../../operations/operations.ts";
import { Caller, parseResponse } from "../caller.ts";

const OPERATIONS = operationsOf("store");

/** Sends the sample of an operation. */
function sent({ ref }: Caller, id: StoreOperationId) {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return sendCase(ref, operation, sampleOf(ref, operation) as RequestCase).then(parseResponse); // samples are typed by the documents
}

function schemaOf(id: StoreOperationId, status: number): z.ZodMiniType {
  if (status >= 400) return schemas.zStoreErrorBody;
  const name = `z${id.charAt(0).toUpperCase()}${id.slice(1)}Response`;
  const schema = Object.entries(schemas).find(([exported]) => exported === name)?.[1];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

const IDS = Object.keys(storeOperations) as StoreOperationId[];

/** All defaults, and each other reading with the defaults of the other gaps. */
const SETTINGS: ReadingsOption[] = [
  {},
  ...Object.entries(mockReadings).flatMap(([gap, [, ...others]]) =>
    others.map((reading) => ({ [gap]: reading })),
  ),
];

test.for(SETTINGS)("every response of the store API conforms to the spec under %j", async (readings) => {
  const caller = new Caller({ readings });
  for (const id of IDS) {
    const { status, body } = await sent(caller, id);
    const { error } = z.safeParse(schemaOf(id, status), body);
    expect([id, status, error?.issues ?? []]).toEqual([id, status, []]);
  }
});

test("every operation of the store API succeeds under the default readings", async () => {
  const caller = new Caller();
  for (const id of IDS) expect([id, (await sent(caller, id)).status]).toEqual([id, 200]);
  expect(caller.ref.journal.violations()).toEqual([]);
});
