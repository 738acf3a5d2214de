import { fleetContract } from "../../../generated/fleet.contract.ts";
import type { Scope } from "../../../generated/fleet.ts";
import type { OperationContract } from "../../wire/operation.ts";
import { type Issue, Refusal, type Reply } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";

export function errorReply(status: number, code: string, message: string, details?: unknown): Reply {
  return { status, body: { errors: [{ code, message, ...(details !== undefined && { details }) }] } };
}

/** Returns 403 with the required and the available scopes. gap errors.forbidden-details */
export function forbidden(required: readonly Scope[], available: readonly Scope[], is: Is): Reply {
  const details = is("errors.forbidden-details", "always") ? { required, available } : undefined;
  return errorReply(403, "FORBIDDEN", "The API key lacks a required scope", details);
}

/** Throws a 404 that names the resource: `refuseUnknown("damage")`. */
export function refuseUnknown(resource: string): never {
  const name = resource.charAt(0).toUpperCase() + resource.slice(1);
  throw new Refusal(errorReply(404, "NOT_FOUND", `${name} not found`));
}

/** Returns 400; the contract shows no code, so this one is invented. gap errors.undocumented-bodies */
export function invalid(issues: readonly Issue[], is: Is): Reply {
  if (is("errors.undocumented-bodies", "empty")) return { status: 400, body: undefined };
  const errors = issues.map(({ path, message }) => ({
    code: "BAD_REQUEST",
    message: `${path || "the body"} ${message}`,
    details: { path },
  }));
  return { status: 400, body: { errors } };
}

/** Throws a 400 with an issue that is found while the operation runs. */
export function refuse(path: string, message: string, is: Is): never {
  const issues = [{ path, message }];
  throw new Refusal(invalid(issues, is), issues);
}

/** The codes that no contract shows. */
const INVENTED: Readonly<Record<number, string>> = {
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
};

/** Returns an error that the contract does not describe. */
export function failure(status: number, message: string): Reply {
  return errorReply(status, INVENTED[status] ?? "INTERNAL_ERROR", message);
}

const contract: Readonly<Record<string, OperationContract<unknown>>> = fleetContract;

/** The code that the contract shows for each status. */
const codes = new Map(
  Object.values(contract).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { code }]) =>
      code === undefined ? [] : [[Number(status), code] as const],
    ),
  ),
);

/** Returns the documented body of a status that a test forces. */
export function documentedBody(status: number, is: Is): unknown {
  if (status === 401) return errorReply(401, "UNAUTHORIZED", "The API key is missing or invalid").body;
  if (status === 404) return errorReply(404, "NOT_FOUND", "Resource not found").body;
  if (status === 429) return failure(429, "Too many requests").body;
  const code = codes.get(status);
  if (code !== undefined) return errorReply(status, code, "The request failed").body;
  if (is("errors.undocumented-bodies", "empty")) return undefined;
  return status === 400
    ? errorReply(400, "BAD_REQUEST", "The request is invalid").body
    : failure(500, "The request failed").body;
}
