import type { CoreResponse, CoreRequest } from "../http/request.ts";

/*
 * The part of the server that adapters use. They import nothing else from it.
 */

export {
  type CoreResponse,
  type CoreRequest,
  type RequestHeaders,
  type TransportFault,
} from "../http/request.ts";
export { type DecodedBody, decodeBody, parseBody } from "../http/body.ts";
export { abortReason, type Timers } from "./timers.ts";

/** A base and the rest of an absolute URL. */
export interface Location<Base extends string = string> {
  base: Base;
  target: string;
}

/** A server as a function, with its base URLs. */
export interface Endpoint {
  /** Splits an absolute URL into base and target; returns `undefined` for a URL outside the bases. */
  locate(url: string): Location | undefined;
  handle(request: CoreRequest): CoreResponse;
}
