import { parseJson } from "../../wire/json.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import type { Redactor } from "../../wire/redaction.ts";
import { jsonText } from "./checks.ts";
import type { Delay, Effect, OtherWrite, PagingFaultKind, Rule } from "./rule.ts";
import type { FaultKind, FaultPlace } from "../http/faults.ts";
import type { MatcherSummary } from "./matcher.ts";
import { redactHeaders } from "../http/redaction.ts";

/** The effect of an override. */
export type OverrideEffect =
  | {
      type: "response";
      status: number;
      body?: unknown;
      /** The size of a body that is too large for a list, in characters of JSON. */
      omittedBody?: number;
      headers?: Record<string, string>;
      /** `after`: the operation is executed before its response is replaced. */
      at?: "after";
    }
  | { type: "change" }
  | { type: "write"; write: OtherWrite }
  | { type: "fault"; fault: FaultKind; at?: FaultPlace }
  | { type: "delay"; delay: Delay }
  | { type: "paging"; paging: PagingFaultKind };

/** An active override, declared by `ref.on`. It is JSON and contains no token and no key. */
export interface PendingOverride<Operation extends string = string> {
  readonly id: number;
  readonly operation: Operation | "*";
  readonly matcher?: MatcherSummary;
  readonly effect: OverrideEffect;
  /** The number of further requests that it applies to; `null` without a limit. */
  readonly remaining: number | null;
  /** The number of further requests that it skips. */
  readonly skip: number;
  /** The probability that it applies. */
  readonly rate: number;
}

/** Describes a rule without secrets. */
export function pendingOverride(rule: Rule, redactor: Redactor): PendingOverride {
  const { id, operation, matcher, effect, remaining, skip, rate } = rule;
  const redact = (text: string) => redactor.redact(text);
  return {
    id,
    operation,
    ...(matcher !== undefined && { matcher: redactMatcher(matcher.summary, redact) }),
    effect: describeEffect(effect, redact),
    remaining: remaining === Infinity ? null : remaining,
    skip,
    rate,
  };
}

type Redact = (text: string) => string;

function describeEffect(effect: Effect, redact: Redact): OverrideEffect {
  switch (effect.do) {
    case "respond": {
      const { status = 200, body, headers } = effect.response;
      return {
        type: "response",
        status,
        ...redactBody(body, redact),
        ...(headers !== undefined && { headers: redactHeaders(headers, redact) }),
        ...(effect.isExecuted && { at: "after" }),
      };
    }
    case "change":
      return { type: "change" };
    case "write": {
      const { method, path, body } = effect.write;
      return { type: "write", write: { method, path: redact(path), ...redactBody(body, redact) } };
    }
    case "fault": {
      const { kind, at } = effect.fault;
      return at === undefined ? { type: "fault", fault: kind } : { type: "fault", fault: kind, at };
    }
    case "delay":
      return { type: "delay", delay: effect.delay };
    case "paging":
      return { type: "paging", paging: effect.kind };
  }
}

/** Returns a matcher without secrets, as JSON. */
export function redactMatcher(summary: MatcherSummary, redact: Redact): MatcherSummary {
  const { path, query, headers, body, when } = summary;
  return {
    ...(path !== undefined && { path: tableOf(namesOf(path), (name) => redact(path[name] ?? "")) }),
    ...(query !== undefined && {
      query: tableOf(namesOf(query), (name) => redactParameter(query[name] ?? null, redact)),
    }),
    ...(headers !== undefined && { headers: redactHeaders(headers, redact) }),
    ...redactBody(body, redact),
    ...(when !== undefined && { when }),
  };
}

function redactParameter(value: string | string[] | null, redact: Redact): string | string[] | null {
  return Array.isArray(value) ? value.map(redact) : value && redact(value);
}

/** Longer bodies are not listed: the removal of their secrets would take seconds. */
const MAX_BODY_LENGTH = 100_000;

/** Returns the JSON of a body without secrets, as properties of a listed object. */
function redactBody(body: unknown, redact: Redact): { body?: unknown; omittedBody?: number } {
  if (body === undefined) return {};
  const text = jsonText(body);
  if (text === undefined) return { body: "[not JSON]" };
  if (text.length > MAX_BODY_LENGTH) return { omittedBody: text.length };
  const redacted = parseJson(redact(text));
  return { body: redacted === undefined ? "[redacted]" : redacted };
}
