import { signal } from "@preact/signals";

const query = globalThis.matchMedia("(prefers-color-scheme: dark)");

/** Whether the page has light text on a dark background. */
export const isDark = signal(query.matches);

query.addEventListener("change", ({ matches }) => {
  isDark.value = matches;
});
