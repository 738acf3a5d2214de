import { signal } from "@preact/signals";

export const panels = [
  ["answer", "Answer"],
  ["journal", "Journal"],
  ["readings", "Readings"],
  ["faults", "Faults"],
  ["key", "Key"],
  ["clients", "Clients"],
] as const;

export type Panel = (typeof panels)[number][0];

export const shownPanel = signal<Panel>("answer");

/** The operation whose gaps alone are shown; all gaps where it is empty. */
export const gapsOf = signal("");

export function showPanel(panel: Panel): void {
  shownPanel.value = panel;
  // below the form there, and not to be seen
  if (globalThis.matchMedia("(width < 1000px)").matches)
    document.getElementById(`tab-${panel}`)?.scrollIntoView();
}

export function showGapsOf(operation: string): void {
  gapsOf.value = operation;
  showPanel("readings");
}
