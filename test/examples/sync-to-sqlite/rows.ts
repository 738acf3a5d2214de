import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../../src/index.ts";
import type { ReferenceServer } from "../../../src/mock/index.ts";

/** The rows to copy: each store, and each protocol with its store's external ID. */
export interface Rows {
  stores: unknown[];
  protocols: [externalId: string, protocol: JsonObject][];
}

/** The rows of an SQLite file, in a fixed order. */
export function rowsIn(path: string): Rows {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const stores = file.prepare("SELECT data FROM stores ORDER BY store_id").all();
    const protocols = file.prepare("SELECT external_id, data FROM protocols").all();
    return {
      stores: stores.map(({ data }): unknown => JSON.parse(String(data))),
      protocols: inOrder(
        protocols.map(({ external_id: id, data }) => [String(id), JSON.parse(String(data)) as JsonObject]),
      ),
    };
  } finally {
    file.close();
  }
}

/** The rows that a copy of a server's state has; `toResponse` returns what the server makes of a protocol. */
export function rowsOf(
  { state }: ReferenceServer,
  toResponse = (protocol: JsonObject): JsonObject => protocol,
): Rows {
  const protocols = [...state.store.protocols].flatMap(([externalId, rows]) =>
    rows.map((row): Rows["protocols"][number] => [externalId, toResponse(row)]),
  );
  const stores = [...state.store.stores.values(), ...state.store.storesWithoutId.values()];
  return {
    stores: stores.toSorted((one, other) => compare(one.storeId, other.storeId)),
    protocols: inOrder(protocols),
  };
}

function inOrder(protocols: Rows["protocols"]): Rows["protocols"] {
  return protocols
    .map((row) => ({ row, key: JSON.stringify(row) }))
    .toSorted((one, other) => compare(one.key, other.key))
    .map(({ row }) => row);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
