import type { Exposition, Store } from "../../../../generated/store.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import type { StoreContext } from "./context.ts";
import { notFound } from "./errors.ts";

/** Returns the external ID in the path. */
export function externalIdOf({ params }: StoreContext): string {
  return params.externalId as string; // every route of these operations has the parameter
}

/** Returns the store in the path. Call `requireStore` first. */
export function storeOf(context: StoreContext): Store {
  return context.data.stores.read(externalIdOf(context)) as Store;
}

/** Returns 404 if no store has the external ID in the path. */
export function requireStore(context: StoreContext): ApiResponse | undefined {
  const { data, readings } = context;
  return data.stores.has(externalIdOf(context)) ? undefined : notFound("store", readings);
}

/** Finds an exposition by its UUID, ignoring case. */
export function expositionOf(expositions: readonly Exposition[], id: string): Exposition | undefined {
  const wanted = id.toLowerCase();
  return expositions.find(({ expositionId }) => expositionId.toLowerCase() === wanted);
}
