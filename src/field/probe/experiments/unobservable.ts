import type { OpenGap } from "../gap.ts";

/** The gaps that no request can decide, with the reason. */
export const unobservable: { readonly [Gap in OpenGap]?: string } = {
  "protocols.equal-summaries":
    "something that tells two equal protocols apart; a response has only the equal objects themselves",
  "fleet.input-shapes":
    "a property that a body must have; what a service adds to a body, or leaves out, fits both readings",
};
