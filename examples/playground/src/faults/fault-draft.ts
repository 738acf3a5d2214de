import type { FaultKind, FaultPlace, OperationId, PagingFaultKind } from "shelfleet/mock";
import { errorMessage } from "../error-message.ts";
import type { FaultMatcher, FaultPlan } from "./fault-plan.ts";

/** The effect of a fault on a request. */
export type FaultEffect = "status" | "delay" | FaultKind | PagingFaultKind;

/** The input of the form of a fault as strings. An empty string means that the field is omitted. */
export interface FaultDraft {
  operation: OperationId | "*";
  effect: FaultEffect;
  status: string;
  /** Headers of the forced response, one per line. */
  headers: string;
  /** JSON of the forced response. */
  body: string;
  ms: string;
  /** Empty for the default. */
  at: FaultPlace | "";
  times: string;
  skip: string;
  rate: string;
  /** The values that the parameters of the request must have. */
  path: Record<string, string>;
  query: Record<string, string>;
  /** Headers that the request must have, one per line. */
  requestHeaders: string;
  /** JSON that the body of the request must contain. */
  requestBody: string;
}

export type Titled<Name> = readonly (readonly [Name, string])[];

const FAULTS: Titled<FaultKind> = [
  ["reset", "reset: the connection is reset"],
  ["close", "close: the connection is closed without a response"],
  ["truncate", "truncate: the response ends in the middle"],
  ["malformed", "malformed: the body is not JSON"],
  ["html", "html: an HTML page with status 200"],
  ["stall", "stall: the response never ends"],
];

const PAGING_FAULTS: Titled<PagingFaultKind> = [
  ["repeat-cursor", "paging: the same page is repeated"],
  ["cycle", "paging: the pages repeat in a cycle"],
  ["empty-page", "paging: an empty page before the end"],
  ["clamp", "paging: later pages are never returned"],
  ["shift", "paging: rows are added and removed"],
];

/** Returns the effects that an operation can have. Only lists have paging faults. */
export function effectsFor(isList: boolean): Titled<FaultEffect> {
  const usual: Titled<FaultEffect> = [["status", "a response with a status"], ["delay", "delay"], ...FAULTS];
  return isList ? [...usual, ...PAGING_FAULTS] : usual;
}

/** Returns the places at which a fault can apply. */
export function placesFor(effect: FaultEffect, method: string): Titled<FaultPlace | ""> {
  if (!isOneOf(FAULTS, effect)) return [];
  const write: Titled<FaultPlace | ""> = [
    ["", "before the write"],
    ["after", "after the write"],
  ];
  const parts: Titled<FaultPlace | ""> = [
    ["head", "after the headers"],
    ["body", "in the body"],
  ];
  const isPartial = effect === "stall" || effect === "truncate";
  return [...(method === "GET" ? [["", "default"] as const] : write), ...(isPartial ? parts : [])];
}

/** Returns the declaration of the fault, or the error of an invalid field. */
export function planOfDraft(draft: FaultDraft): FaultPlan | { problem: string } {
  try {
    return planOf(draft);
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

function planOf(draft: FaultDraft): FaultPlan {
  const matcher = matcherOf(draft);
  return {
    operation: draft.operation,
    ...(matcher !== undefined && { matcher }),
    effect: effectOf(draft),
    remaining: draft.times === "" ? null : numberIn("Requests", draft.times),
    skip: draft.skip === "" ? 0 : numberIn("Skipped requests", draft.skip),
    rate: draft.rate === "" ? 1 : numberIn("Probability", draft.rate),
  };
}

function effectOf({ effect, status, headers, body, ms, at }: FaultDraft): FaultPlan["effect"] {
  if (effect === "status") {
    const sent = headersIn("Response headers", headers);
    return {
      type: "response",
      status: numberIn("Status", status),
      ...(body.trim() !== "" && { body: jsonIn("Response body", body) }),
      ...(sent !== undefined && { headers: sent }),
    };
  }
  if (effect === "delay") return { type: "delay", delay: numberIn("Milliseconds", ms) };
  if (isOneOf(PAGING_FAULTS, effect)) return { type: "paging", paging: effect };
  return { type: "fault", fault: effect, ...(at !== "" && { at }) };
}

function matcherOf({ path, query, requestHeaders, requestBody }: FaultDraft): FaultMatcher | undefined {
  const headers = headersIn("Request headers", requestHeaders);
  const matcher: FaultMatcher = {
    ...part("path", path),
    ...part("query", query),
    ...(headers !== undefined && { headers }),
    ...(requestBody.trim() !== "" && { body: jsonIn("Request body", requestBody) }),
  };
  return Object.keys(matcher).length === 0 ? undefined : matcher;
}

function part(name: "path" | "query", values: Record<string, string>): FaultMatcher {
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return given.length === 0 ? {} : { [name]: Object.fromEntries(given) };
}

function headersIn(field: string, text: string): Record<string, string> | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return undefined;
  const entries = lines.map((line) => {
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`${field}: "${line.trim()}" is not a header. Expected "Name: value"`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

function jsonIn(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${field} must be JSON: ${errorMessage(error)}`, { cause: error });
  }
}

function numberIn(field: string, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new Error(`${field} must be a number`);
  return number;
}

function isOneOf<Name extends string>(titled: Titled<Name>, name: string): name is Name {
  return titled.some(([known]) => known === name);
}
