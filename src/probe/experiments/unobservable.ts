import type { OpenGap } from "../gap.ts";

/** Gaps that no request can tell, and why. */
export const unobservable: { readonly [Gap in OpenGap]?: string } = {};
