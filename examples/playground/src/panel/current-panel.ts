import { signal } from "@preact/signals";
import { isNarrow } from "../narrow.ts";

export const panels = [
  ["response", "Response"],
  ["journal", "Journal"],
  ["readings", "Readings"],
  ["faults", "Faults"],
  ["server", "Server"],
  ["key", "Key"],
  ["clients", "Clients"],
] as const;

export type Panel = (typeof panels)[number][0];

export const currentPanel = signal<Panel>("response");

/** Which gaps are shown: those of the view's operations, of every operation, or of one. */
export const gapsOf = signal<string>("view");

export function showPanel(panel: Panel): void {
  currentPanel.value = panel;
  // on a narrow screen the panel is below the form and not visible
  if (isNarrow.value) document.getElementById(`tab-${panel}`)?.scrollIntoView();
}

/** Shows the gaps of the view's operations. */
export function showGapsOfView(): void {
  gapsOf.value = "view";
  showPanel("readings");
}
