import { bearerToken } from "../../../wire/credentials.ts";
import { parseKey } from "../../../wire/fleet-key.ts";
import { parseJson } from "../../../wire/json.ts";
import { isUuid } from "../../../wire/uuid.ts";
import type { Body, CheckedExchange } from "./exchange.ts";
import type { Fault } from "./finding.ts";
import type { ApiName } from "../../routes.ts";
import type { Documented, Route } from "./operations.ts";
import { schemaFaults } from "./schema.ts";

/** Returns the violations of a request for a documented operation. */
export function requestFaults(exchange: CheckedExchange, operation: Documented, route: Route): Fault[] {
  return [
    ...authorizationFaults(exchange.api, exchange.requestHeaders["authorization"]),
    ...pathFaults(operation, route),
    ...queryFaults(operation, new URLSearchParams(exchange.query)),
    ...bodyFaults(operation, exchange),
  ];
}

/** Returns the violation of a request without an operation in the contract. */
export function routeFault({ method, path }: CheckedExchange, { methods }: Route): Fault {
  const actual = `${method} ${pathForm(path)}`;
  if (methods.length === 0)
    return { place: "path", expected: `a path of the contract, not ${actual}`, actual };
  return { place: "method", expected: `${methods.join(" or ")}, not ${actual}`, actual: method };
}

/** Returns a path without its IDs, so that two requests for the same unknown path are one violation. */
function pathForm(path: string): string {
  const segments = path
    .split("/")
    .map((segment) => (/^[a-z-]{1,32}$|^v\d$|^$/.test(segment) ? segment : "*"));
  return segments.slice(0, 8).join("/");
}

function authorizationFaults(api: ApiName, header: string | undefined): Fault[] {
  const place = "header authorization";
  const secret = bearerToken(header);
  if (secret === undefined)
    return [
      { place, expected: "Bearer and a secret", actual: header === undefined ? "nothing" : "another form" },
    ];
  if (api === "store" || parseKey(secret) !== undefined) return [];
  return [{ place, expected: "a key: a prefix, _ and 64 hexadecimal digits", actual: "another form" }];
}

function pathFaults({ formats = {} }: Documented, { params }: Route): Fault[] {
  return Object.keys(formats)
    .filter((name) => !isUuid(params[name] ?? ""))
    .map((name) => ({ place: `path ${name}`, expected: "a UUID", actual: "a string" }));
}

function queryFaults({ query = {}, querySchema, id, api }: Documented, search: URLSearchParams): Fault[] {
  const faults: Fault[] = [];
  const values: Record<string, string> = {};
  for (const name of new Set(search.keys())) {
    const given = search.getAll(name);
    const place = `query ${/^[\w.-]{1,40}$/.test(name) ? name : "(unusual name)"}`;
    if (!Object.hasOwn(query, name)) {
      const gap = api === "store" ? "requests.unknown-properties" : "fleet.unknown-properties";
      faults.push({ place, expected: "a documented parameter", actual: "another one", gap });
      continue;
    }
    if (given.length > 1) {
      // gap photos.two-statuses
      const gap = id === "listPhotos" && name === "status" ? { gap: "photos.two-statuses" } : {};
      faults.push({ place, expected: "one value", actual: "several values", ...gap });
    }
    values[name] = given[0] ?? "";
  }
  if (querySchema === undefined) return faults;
  const broken = schemaFaults(querySchema, values).map(({ place, expected, actual }) => ({
    place: `query ${place.slice(1)}`,
    expected,
    actual: actual === "nothing" ? actual : "another value",
  }));
  return [...faults, ...broken];
}

export const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const PATCH_TYPE = /^application\/(?:merge-patch\+)?json\s*(?:;|$)/i;

function bodyFaults(
  { bodySchema, method }: Documented,
  { requestBody, requestHeaders }: CheckedExchange,
): Fault[] {
  if (bodySchema === undefined || requestBody.kind === "unread") return [];
  // gap fleet.patch-content-type
  const type = method === "PATCH" ? PATCH_TYPE : JSON_TYPE;
  const given = requestHeaders["content-type"];
  const typeFault: Fault = {
    place: "header content-type",
    expected: "application/json",
    actual: given === undefined ? "nothing" : "another type",
  };
  return [
    ...(requestBody.kind === "none" || type.test(given ?? "") ? [] : [typeFault]),
    ...jsonFaults(requestBody, (value) => schemaFaults(bodySchema, value)),
  ];
}

/** Returns the violations of a body that must be JSON. */
export function jsonFaults(body: Body, check: (value: unknown) => Fault[]): Fault[] {
  if (body.kind === "unread") return [];
  if (body.kind === "none") return [{ place: "/", expected: "a JSON body", actual: "nothing" }];
  if (body.kind === "broken") return [{ place: "/", expected: "a JSON body", actual: body.reason }];
  const value = parseJson(body.text);
  if (value !== undefined) return check(value);
  const actual = body.text.trim() === "" ? "nothing" : "a string that is not JSON";
  return [{ place: "/", expected: "a JSON body", actual }];
}
