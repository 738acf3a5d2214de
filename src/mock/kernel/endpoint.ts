import type { CoreAnswer, CoreRequest } from "./request.ts";

/*
 * What adapters need of the kernel, and all that they may import of it.
 */

export {
  type CoreAnswer,
  type CoreRequest,
  type RequestHeaders,
  type TransportFault,
} from "./request.ts";
export { type DecodedBody, decodeBody, parseBody } from "./body.ts";
export { abortReason, type Timers } from "./timers.ts";

/** A base and the rest of an absolute URL. */
export interface Location<Base extends string = string> {
  base: Base;
  target: string;
}

/** A server as a plain function, with its base URLs. */
export interface Endpoint {
  /** Splits an absolute URL into base and target; returns nothing for a URL outside the bases. */
  locate(url: string): Location | undefined;
  handle(request: CoreRequest): CoreAnswer;
}
