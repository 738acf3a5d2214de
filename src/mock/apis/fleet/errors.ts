import { fleetContract } from "../../../../generated/fleet.contract.ts";
import type { OperationContract } from "../../../wire/operation.ts";
import type { Scope } from "../../../../generated/fleet.ts";
import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { ErrorResponses } from "../../server/api.ts";
import type { MockReadings } from "../../server/readings.ts";

export function fleetErrorBody(code: string, message: string, details?: unknown): unknown {
  return { errors: [details === undefined ? { code, message } : { code, message, details }] };
}

/** Returns 401 with the reason. */
export function unauthorized(message: string): ApiResponse {
  return { status: 401, body: fleetErrorBody("UNAUTHORIZED", message) };
}

/** Returns 403 with the required and the available scopes. gap errors.forbidden-details */
export function forbidden(
  required: readonly Scope[],
  available: readonly Scope[],
  readings: MockReadings,
): ApiResponse {
  const details = readings["errors.forbidden-details"] === "always" ? { required, available } : undefined;
  return { status: 403, body: fleetErrorBody("FORBIDDEN", "The API key lacks a required scope", details) };
}

/** Returns 404 that names the resource: `notFound("damage")`. */
export function notFound(resource: string): ApiResponse {
  const name = resource.charAt(0).toUpperCase() + resource.slice(1);
  return { status: 404, body: fleetErrorBody("NOT_FOUND", `${name} not found`) };
}

/** Returns 400; the contract shows no code, so this one is invented. gap errors.undocumented-bodies */
function invalid(issues: readonly Issue[], readings: MockReadings): ApiResponse {
  if (readings["errors.undocumented-bodies"] === "empty") return { status: 400, body: undefined };
  const errors = issues.map(({ path, message }) => ({
    code: "BAD_REQUEST",
    message: `${path || "the body"} ${message}`,
    details: { path },
  }));
  return { status: 400, body: { errors } };
}

/** Returns 429; the contract shows no code, so this one is invented. */
function tooManyRequests(): ApiResponse {
  return { status: 429, body: fleetErrorBody("TOO_MANY_REQUESTS", "Too many requests") };
}

/** The error bodies of the fleet API. */
export const fleetErrors: ErrorResponses = {
  invalid,
  unknownPath: () => ({
    status: 404,
    body: fleetErrorBody("NOT_FOUND", "No operation of the fleet API has this path"),
  }),
  method: () => ({
    status: 405,
    body: fleetErrorBody("METHOD_NOT_ALLOWED", "The path does not support this method"),
  }),
  tooLarge: () => ({ status: 413, body: fleetErrorBody("PAYLOAD_TOO_LARGE", "The body is too large") }),
  tooManyRequests,
  serverError: (message) => ({ status: 500, body: fleetErrorBody("INTERNAL_ERROR", message) }),
  documentedBody: documented,
};

const contract: Readonly<Record<string, OperationContract<unknown>>> = fleetContract;

/** The code that the contract shows for each status. */
const codes = new Map(
  Object.values(contract).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { code }]) =>
      code === undefined ? [] : [[Number(status), code] as const],
    ),
  ),
);

function documented(status: number, readings: MockReadings): unknown {
  switch (status) {
    case 401:
      return unauthorized("The API key is missing or invalid").body;
    case 403:
      return forbidden([], [], readings).body;
    case 404:
      return notFound("resource").body;
    case 429:
      return tooManyRequests().body;
    case 400:
      return undocumented("BAD_REQUEST", "The request is invalid", readings);
    default: {
      const code = codes.get(status);
      return code === undefined
        ? undocumented("INTERNAL_ERROR", "The request failed", readings)
        : fleetErrorBody(code, "The request failed");
    }
  }
}

/** gap errors.undocumented-bodies */
function undocumented(code: string, message: string, readings: MockReadings): unknown {
  return readings["errors.undocumented-bodies"] === "empty" ? undefined : fleetErrorBody(code, message);
}
