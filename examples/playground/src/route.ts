import { computed, signal } from "@preact/signals";
import { findOperation, isList, type Operation, operations } from "./operations.ts";

/** The view and the operation in the hash of the URL, such as `calls/getStore`, `lists/listStores` or `fill-rates`. */
export interface Route {
  view: View;
  /** The operation, where the view is about one. */
  operation: Operation | undefined;
}

export const views = [
  ["calls", "Calls"],
  ["lists", "Lists"],
  ["fill-rates", "Fill rates"],
  ["field-statuses", "Field statuses"],
] as const;

export type View = (typeof views)[number][0];

export const route = signal(readRoute());

/** The view with its operation, as in the hash of the URL. */
export const place = computed(() => placeOf(route.value));

/** The operations that the view calls. */
export const routeOperations = computed<readonly Operation[]>(() => {
  const { view, operation } = route.value;
  if (operation !== undefined) return [operation];
  const ids = view === "fill-rates" ? FILL_RATE_OPERATIONS : FIELD_STATUS_OPERATIONS;
  return operations.filter(({ id }) => ids.includes(id));
});

const FILL_RATE_OPERATIONS: readonly string[] = ["listStores", "getFillRates"];
const FIELD_STATUS_OPERATIONS: readonly string[] = ["listVehicleFields", "listVehicleFieldVehicles"];

globalThis.addEventListener("hashchange", () => {
  route.value = readRoute();
});

function placeOf({ view, operation }: Route): string {
  return operation === undefined ? view : `${view}/${operation.id}`;
}

function readRoute(): Route {
  const [, name, id = ""] = location.hash.split("/");
  const view = views.find(([known]) => known === name)?.[0] ?? "calls";
  const named = findOperation(id);
  if (view === "calls") return { view, operation: named ?? operations[0] };
  if (view !== "lists") return { view, operation: undefined };
  return { view, operation: named !== undefined && isList(named) ? named : operations.find(isList) };
}
