import { gaps } from "../../../../generated/gaps.ts";
import { openGaps } from "../gap.ts";

/** The gaps without an experiment, with what one would need. */
export const unobservable: Readonly<Record<string, string>> = Object.fromEntries(
  openGaps.flatMap((gap) => {
    const { probe } = gaps[gap];
    return "needs" in probe ? [[gap, probe.needs]] : [];
  }),
);
