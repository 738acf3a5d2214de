import type { OperationContract } from "../../wire/operation.ts";
import type { RequestSchemas } from "./api.ts";
import type { Schema } from "./schema-check.ts";

/**
 * Finds the schemas of each operation by their generated names: `zPutStoreBody`. With a contract, its bodies with closed
 * enums are used.
 */
export function requestSchemas<Id extends string>(
  ids: readonly Id[],
  schemas: Readonly<Record<string, Schema>>,
  contract?: Readonly<Record<Id, OperationContract<Schema>>>,
): Record<Id, RequestSchemas> {
  const found = ids.map((id): [Id, RequestSchemas] => {
    const name = `z${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    const query = schemas[`${name}Query`];
    const body = contract?.[id].body ?? schemas[`${name}Body`];
    return [id, { ...(query && { query }), ...(body && { body }) }];
  });
  return Object.fromEntries(found) as Record<Id, RequestSchemas>; // one entry for each id
}
