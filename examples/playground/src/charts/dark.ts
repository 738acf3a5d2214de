import { signal } from "@preact/signals";

const query = globalThis.matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is drawn in light on dark. */
export const isDark = signal(query.matches);

query.addEventListener("change", ({ matches }) => {
  isDark.value = matches;
});
