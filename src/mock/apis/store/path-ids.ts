import type { Exposition, Store } from "../../../../generated/store.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import type { StoreContext } from "./context.ts";
import { notFound } from "./errors.ts";

/** Returns the external ID of the store in the path, as the service has or would store it. */
export function externalIdOf(context: StoreContext): string {
  return storedId(context, context.params.externalId); // every route of these operations has the parameter
}

/** Returns the form in which the service has, or would store, an external ID. gap stores.external-id-equality */
export function storedId({ data, readings }: Pick<StoreContext, "data" | "readings">, id: string): string {
  const reading = readings["stores.external-id-equality"];
  if (reading === "exact" || data.stores.has(id)) return id;
  const normalize = NORMALIZE[reading];
  const same = data.stores.keyList().find((key) => normalize(key) === normalize(id));
  return same ?? (reading === "normalized" ? normalize(id) : id);
}

const NORMALIZE = {
  "ignore-case": (id: string) => id.toLowerCase(),
  normalized: (id: string) => id.normalize("NFC").trim().toLowerCase(),
};

/** Returns the store in the path. Call `requireStore` first. */
export function storeOf(context: StoreContext): Store {
  return context.data.stores.read(externalIdOf(context)) as Store; // `requireStore` has found it
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
