import { storeContract } from "../../../../generated/store.contract.ts";
import { storeErrorCodes } from "../../../../generated/store.enums.ts";
import { isObject } from "../../../wire/json.ts";
import type { CheckedExchange } from "./exchange.ts";
import type { Fault } from "./finding.ts";
import type { Documented } from "./operations.ts";
import { pageFaults } from "./page.ts";
import { JSON_TYPE, jsonFaults } from "./request.ts";
import { ruleFaults } from "./rules.ts";
import { schemaFaults } from "./schema.ts";

/** Returns the violations of a response to a documented operation. */
export function responseFaults(exchange: CheckedExchange, operation: Documented): Fault[] {
  const { status } = exchange;
  if (status === 304 && isConditional(exchange)) return [];
  const documented = operation.responses[status];
  if (documented === undefined) return [statusFault(operation, status)];
  const { schema, code } = documented;
  if (schema === null) return [];
  const { api, gaps } = operation;
  if (api === "fleet" && (status === 400 || status === 500)) return []; // gap errors.undocumented-bodies
  const isOpen = api === "fleet" && status < 300 && gaps.includes("fleet.undocumented-responses");
  if (isOpen && exchange.responseBody.kind === "none") return [];
  const check = (value: unknown): Fault[] => {
    if (isOpen) return openFaults(value);
    const faults = schemaFaults(schema, value);
    if (status >= 400) return faults.length > 0 ? faults : codeFaults(operation, code, value);
    return [
      ...faults,
      ...ruleFaults(exchange, operation, value),
      ...pageFaults(operation, new URLSearchParams(exchange.query), value),
    ];
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

/** The statuses of the store API: each operation documents which of them it has. */
const STORE_STATUSES = new Set(
  Object.values(storeContract).flatMap(({ responses }) => Object.keys(responses)),
);

/** Statuses that a gap leaves open for the operations that it concerns. */
const OPEN_BY_GAP: Readonly<Record<string, number>> = { "stores.unknown-references": 404 };

function statusFault({ api, responses, gaps }: Documented, status: number): Fault {
  const known: Readonly<Record<number, string>> = OPEN_STATUSES[api];
  const own = gaps.find((gap) => OPEN_BY_GAP[gap] === status);
  const other =
    api === "store" && status >= 400 && !STORE_STATUSES.has(`${status}`)
      ? "errors.other-statuses"
      : undefined;
  const gap = own ?? known[status] ?? other;
  return {
    place: "status",
    expected: `one of ${Object.keys(responses).join(", ")}`,
    actual: String(status),
    ...(gap !== undefined && { gap }),
  };
}

function typeFaults({ responseHeaders, responseBody }: CheckedExchange): Fault[] {
  const type = responseHeaders["content-type"];
  if (responseBody.kind === "none" || JSON_TYPE.test(type ?? "")) return [];
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

function codeFaults({ api }: Documented, code: string | undefined, value: unknown): Fault[] {
  if (code === undefined || !isObject(value)) return [];
  const expected = `the code ${code}`;
  if (api === "fleet") {
    const errors = Array.isArray(value["errors"]) ? value["errors"] : [];
    const isThere = errors.some((error) => isObject(error) && error["code"] === code);
    return isThere ? [] : [{ place: "/errors", expected, actual: "none" }];
  }
  const given = isObject(value["error"]) ? value["error"]["code"] : undefined;
  // gap errors.code-presence; a value outside the enumeration is a fault of the schema
  const isOther = given !== code && storeErrorCodes.some((known) => known === given);
  return isOther ? [{ place: "/error/code", expected, actual: "that of another status" }] : [];
}
