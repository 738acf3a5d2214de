import { jsonText } from "./check.ts";
import type { Delay } from "./delay.ts";
import type { Fault } from "../http/faults.ts";
import { type CompiledMatcher, matches } from "./matcher.ts";
import type { PagingFaultKind } from "./paging-fault.ts";
import type { Random } from "../../wire/random.ts";
import type { RequestView } from "../http/request-view.ts";

/** A response that a test forces. Without a body it has the documented body of its status. */
export interface ForcedResponse {
  /** Default: 200. With 2xx and no body, the body of the API's own response is kept; 204 has no body. */
  status?: number;
  /** The body. It is sent as JSON; a string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** @deprecated Renamed to `ForcedResponse`: see docs/upgrade.md. */
export type ForcedAnswer = ForcedResponse;

/** A response that a function of a test may change. */
export interface SentResponse {
  readonly status: number;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the response to send instead, or nothing to send the given one. */
export type ResponseChange = (response: SentResponse, request: RequestView) => ForcedResponse | undefined;

/** A request of another writer to the same API. */
export interface OtherWrite {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL. */
  path: string;
  body?: unknown;
}

/** The effect of a rule on the requests that it applies to. */
export type Effect =
  | { do: "respond"; response: ForcedResponse; isExecuted: boolean }
  | { do: "change"; change: ResponseChange }
  | { do: "write"; write: OtherWrite }
  | { do: "fault"; fault: Fault }
  | { do: "delay"; delay: Delay }
  | { do: "paging"; kind: PagingFaultKind };

/** An effect, and the requests that it applies to. */
export interface Rule {
  /** The number of the declaration. */
  readonly id: number;
  /** An operation, or `*`. */
  readonly operation: string;
  readonly matcher: CompiledMatcher | undefined;
  readonly effect: Effect;
  /** The number of further requests that it applies to. */
  remaining: number;
  /** The number of further requests that it skips. */
  skip: number;
  /** The probability that it applies to a request. */
  rate: number;
  /** The number of requests that it has applied to. */
  applications: number;
  readonly random: Random;
  /** The rules that were declared together. */
  readonly group: Set<Rule>;
  /** The estimated size of its strings. */
  readonly bytes: number;
}

/** Whether a rule applies to a request; counts the requests that it skips. */
export function appliesTo(rule: Rule, request: RequestView): boolean {
  if (rule.matcher !== undefined && !matches(rule.matcher, request)) return false;
  if (rule.skip > 0) {
    rule.skip -= 1;
    return false;
  }
  return rule.rate === 1 || rule.random.chance(rule.rate);
}

/** Estimates the bytes of a body and headers; values that are not JSON count as 0. */
export function sizeOf(effect: Effect, matcher: CompiledMatcher | undefined): number {
  const bytes = matcher?.bytes ?? 0;
  if (effect.do !== "respond") return bytes;
  const { body, headers } = effect.response;
  const bodySize = typeof body === "string" ? body.length : (jsonText(body)?.length ?? 0);
  return bytes + bodySize + (jsonText(headers)?.length ?? 0);
}
