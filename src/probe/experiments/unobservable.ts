import type { OpenGap } from "../gap.ts";

/** Gaps that no request can tell, and why. */
export const unobservable: { readonly [Gap in OpenGap]?: string } = {
  "protocols.equal-summaries":
    "something that tells two equal protocols apart; a response has nothing but the equal objects themselves",
};
