import type { Store } from "../../../../../generated/store.ts";
import type { StoreData, StoreList } from "../data.ts";
import { listsOf } from "../seed/list-rules.ts";
import type { ExportedStore, ExportedStores } from "./exported.ts";
import type { ListOrigin } from "./list-origin.ts";

/** Returns the data as plain JSON; with `full`, generated lists are written out; `place` names the data in errors. */
export function exportStores(
  data: StoreData,
  origin: ListOrigin,
  full: boolean,
  place: string,
): ExportedStores {
  const stores = data.stores.keyList().map((key) => exportStore(data, key, origin, full, place));
  const { generator } = origin;
  const isNeeded = generator !== undefined && stores.some(({ generated }) => generated !== undefined);
  return {
    ...(isNeeded && { generator }),
    stores,
    storesWithoutId: data.storesWithoutId.keyList().map((key) => ({
      place: key,
      store: data.storesWithoutId.plain(key) as Store, // the collection has only such values
    })),
  };
}

function exportStore(
  data: StoreData,
  key: string,
  origin: ListOrigin,
  full: boolean,
  place: string,
): ExportedStore {
  const store = data.stores.plain(key) as Store; // the collection has only such values
  if (store?.externalId !== key)
    throw new Error(`${place}.stores: the store "${key}" must have its key as externalId`);
  const exported: ExportedStore = { store };
  const generated: StoreList[] = [];
  for (const { name, map } of listsOf(data)) {
    if (!full && map.isPending(key) && origin.isGenerated(name, key)) {
      generated.push(name);
      continue;
    }
    const rows = map.plain(key);
    if (Array.isArray(rows) && rows.length > 0) Object.assign(exported, { [name]: rows });
  }
  return generated.length === 0 ? exported : { ...exported, generated };
}
