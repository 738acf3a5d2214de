import { lineOf } from "../sender/sender.ts";
import { type Exchange, isOk } from "./exchange.ts";

/** Something that must be true whatever the reading is. An observation without its controls proves nothing. */
export interface Control {
  /** A clause for the report, such as "the store is still there". */
  readonly claim: string;
  readonly holds: boolean;
  /** The exchange that shows it. */
  readonly exchange?: Exchange;
}

/** Creates a control. */
export function control(claim: string, holds: boolean, exchange?: Exchange): Control {
  return { claim, holds, ...(exchange && { exchange }) };
}

/** A request without the examined property succeeds. */
export function succeeds(exchange: Exchange): Control {
  return control(`${lineOf(exchange)} succeeds`, isOk(exchange), exchange);
}

export function hasStatus(exchange: Exchange, status: number): Control {
  return control(`${lineOf(exchange)} has status ${status}`, exchange.status === status, exchange);
}

/** Statuses that come from rights, limits or the path, and not from what the request asks. */
const UNRELATED: ReadonlySet<number> = new Set([401, 403, 405, 408, 409, 429]);

/** The status of a response depends on what the request asks. */
export function isAnswer(exchange: Exchange): Control {
  return control(`${lineOf(exchange)} is permitted`, !UNRELATED.has(exchange.status), exchange);
}

/** The response itself shows what is concluded, so that nothing is concluded from what it lacks. */
export function isShown(exchange: Exchange): Control {
  return control(`${lineOf(exchange)} shows it`, exchange.isEvidence, exchange);
}
