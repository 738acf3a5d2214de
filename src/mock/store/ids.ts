import type { Exposition, Store } from "../../../generated/store.ts";
import type { StoreCall } from "../server/call.ts";
import { refuseUnknown } from "./errors.ts";

/** Returns the external ID of the store in the path, as the service has or would store it. */
export function externalIdOf(call: StoreCall): string {
  return storedId(call, call.params.externalId);
}

const normalize = (id: string): string => id.normalize("NFC").trim().toLowerCase();

/** Returns the form in which the service has, or would store, an external ID. gap stores.external-id-equality */
export function storedId({ store, is }: StoreCall, id: string): string {
  if (is("stores.external-id-equality", "exact") || store.stores.has(id)) return id;
  return store.stores.keyList().find((key) => normalize(key) === normalize(id)) ?? normalize(id);
}

/** Throws a 404 if no store has the external ID in the path. */
export function requireStore(call: StoreCall): void {
  if (!call.store.stores.has(externalIdOf(call))) refuseUnknown("store");
}

/** Returns the store in the path, which `requireStore` has found. */
export function storeOf(call: StoreCall): Store {
  return call.store.stores.read(externalIdOf(call)) as Store; // it exists
}

/** Finds an exposition by its UUID, ignoring case. */
export function expositionOf(call: StoreCall, id: string): Exposition | undefined {
  const wanted = id.toLowerCase();
  const expositions = call.store.expositions.get(externalIdOf(call)) ?? [];
  return expositions.find(({ expositionId }) => expositionId.toLowerCase() === wanted);
}
