import { gaps, mockReadings } from "shelfleet/gaps";
import type { MockGap } from "shelfleet/mock";
import type { ChosenReadings } from "../server-options.ts";

/** A gap for which the reference server has several readings. */
export interface SwitchableGap {
  id: MockGap;
  question: string;
  api: string;
  default: string;
  readings: readonly { name: string; meaning: string }[];
}

/** Every gap that affects the reference server, in the contracts' order. */
export const switchableGaps: readonly SwitchableGap[] = (Object.keys(mockReadings) as MockGap[]).map((id) => {
  const { question, api, default: usual, readings } = gaps[id];
  const meanings: Record<string, string> = readings;
  return {
    id,
    question,
    api,
    default: usual,
    readings: mockReadings[id].map((name) => ({ name, meaning: meanings[name] ?? "" })),
  };
});

/** The gaps whose reading is not the default. */
export function switchedGaps(chosen: ChosenReadings): SwitchableGap[] {
  return switchableGaps.filter(({ id, default: usual }) => (chosen[id] ?? usual) !== usual);
}
