import { signal } from "@preact/signals";

/** The part of the URL after `#/`: `calls/getStore`, `lists/listStores`, `fill-rates`, `field-statuses`. */
export interface Route {
  view: View;
  /** The operation, where the view is about one. */
  operation: string | undefined;
}

export const views = [
  ["calls", "Calls"],
  ["lists", "Lists"],
  ["fill-rates", "Fill rates"],
  ["field-statuses", "Field statuses"],
] as const;

export type View = (typeof views)[number][0];

export const route = signal(readRoute());

globalThis.addEventListener("hashchange", () => {
  route.value = readRoute();
});

function readRoute(): Route {
  const [, name, operation] = location.hash.split("/");
  const view = views.find(([known]) => known === name)?.[0] ?? "calls";
  return { view, operation };
}
