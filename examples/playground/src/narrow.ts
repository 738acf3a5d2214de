import { signal } from "@preact/signals";

const query = globalThis.matchMedia("(width < 1000px)");

/** Whether the page is shown in one column, as on a phone. */
export const isNarrow = signal(query.matches);

query.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});
