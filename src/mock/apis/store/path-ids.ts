import type { Exposition, Store } from "../../../../generated/store.ts";
import type { ApiResponse } from "../../kernel/api-response.ts";
import type { StoreContext } from "./context.ts";
import { notFound } from "./errors.ts";

/** The external ID in the path. */
export function externalIdOf({ params }: StoreContext): string {
  return params.externalId as string; // every route that asks has it
}

/** The store that the path names; only after `missingStore` found it. */
export function storeOf(context: StoreContext): Store {
  return context.data.stores.read(externalIdOf(context)) as Store;
}

/** 404 where no store has the external ID in the path. */
export function requireStore(context: StoreContext): ApiResponse | undefined {
  const { data, readings } = context;
  // A store without external ID has a key of our own, which no path may use.
  const externalId = data.stores.read(externalIdOf(context))?.externalId ?? null;
  return externalId === null ? notFound("store", readings) : undefined;
}

/** The exposition of a store; UUIDs are the same in capitals. */
export function expositionOf(expositions: readonly Exposition[], id: string): Exposition | undefined {
  const wanted = id.toLowerCase();
  return expositions.find(({ expositionId }) => expositionId.toLowerCase() === wanted);
}
