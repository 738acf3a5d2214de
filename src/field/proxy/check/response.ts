import { isObject } from "../../../wire/json.ts";
import type { CheckedExchange } from "./exchange.ts";
import type { Fault } from "./finding.ts";
import type { Documented } from "./operations.ts";
import { pageFaults } from "./page.ts";
import { jsonFaults } from "./request.ts";
import { schemaFaults } from "./schema.ts";

/** The fleet operations whose responses the contract describes. gap fleet.undocumented-responses */
const DESCRIBED: ReadonlySet<string> = new Set([
  "listInspectionTemplates",
  "getInspection",
  "listVehicleFields",
  "listVehicleFieldVehicles",
  "getDamage",
]);

/** Returns the violations of a response to a documented operation. */
export function responseFaults(exchange: CheckedExchange, operation: Documented): Fault[] {
  const { status } = exchange;
  if (status === 304 && isConditional(exchange)) return [];
  const schema = operation.responses[status];
  if (schema === undefined) return [statusFault(operation, status)];
  if (schema === null) return [];
  const { api, id } = operation;
  if (api === "fleet" && (status === 400 || status === 500)) return []; // gap errors.undocumented-bodies
  const isOpen = api === "fleet" && status < 300 && !DESCRIBED.has(id); // gap fleet.undocumented-responses
  if (isOpen && exchange.responseBody.kind === "none") return [];
  const check = (value: unknown): Fault[] => {
    if (isOpen) return openFaults(value);
    const faults = schemaFaults(schema, value);
    if (status >= 400) return faults.length > 0 ? faults : codeFaults(operation, status, value);
    return [...faults, ...pageFaults(operation, new URLSearchParams(exchange.query), value)];
  };
  return [...typeFaults(exchange), ...jsonFaults(exchange.responseBody, check)];
}

function isConditional({ requestHeaders }: CheckedExchange): boolean {
  return requestHeaders["if-none-match"] !== undefined || requestHeaders["if-modified-since"] !== undefined;
}

/** Statuses that a contract leaves open, in addition to those of an operation. */
const OPEN_STATUSES = {
  store: { 413: "limits.body-size", 429: "limits.store-rate" },
  fleet: { 404: "errors.not-found-everywhere", 429: "limits.fleet-rate" },
} as const;

/** The four statuses of the store API's errors: each operation documents which of them it has. */
const STORE_ERRORS: ReadonlySet<number> = new Set([400, 401, 404, 503]);

function statusFault({ api, responses }: Documented, status: number): Fault {
  const known: Readonly<Record<number, string>> = OPEN_STATUSES[api];
  const other =
    api === "store" && status >= 400 && !STORE_ERRORS.has(status) ? "errors.other-statuses" : undefined;
  const gap = known[status] ?? other;
  return {
    place: "status",
    expected: `one of ${Object.keys(responses).join(", ")}`,
    actual: String(status),
    ...(gap !== undefined && { gap }),
  };
}

function typeFaults({ responseHeaders, responseBody }: CheckedExchange): Fault[] {
  const type = responseHeaders["content-type"];
  if (responseBody.kind === "none" || /^application\/json\s*(?:;|$)/i.test(type ?? "")) return [];
  const actual = type === undefined ? "nothing" : (/^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? "another form");
  return [{ place: "header content-type", expected: "application/json", actual }];
}

/** Any body is allowed; an incomplete envelope is an open finding. */
function openFaults(value: unknown): Fault[] {
  if (isObject(value) && "data" in value && isObject(value["meta"])) return [];
  return [
    { place: "/", expected: "data and meta", actual: "another form", gap: "fleet.undocumented-responses" },
  ];
}

const CODES = {
  store: { 400: "validation_failed", 401: "unauthorized", 404: "not_found", 503: "not_configured" },
  fleet: { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND" },
} as const;

function codeFaults({ api }: Documented, status: number, value: unknown): Fault[] {
  const code = (CODES[api] as Readonly<Record<number, string>>)[status];
  if (code === undefined || !isObject(value)) return [];
  const expected = `the code ${code}`;
  if (api === "fleet") {
    const errors = Array.isArray(value["errors"]) ? value["errors"] : [];
    const isThere = errors.some((error) => isObject(error) && error["code"] === code);
    return isThere ? [] : [{ place: "/errors", expected, actual: "none" }];
  }
  const given = isObject(value["error"]) ? value["error"]["code"] : undefined;
  // gap errors.code-presence; a value outside the enumeration is a fault of the schema
  const isOther =
    typeof given === "string" && given !== code && Object.values(CODES.store).some((one) => one === given);
  return isOther ? [{ place: "/error/code", expected, actual: "that of another status" }] : [];
}
