import { type ErrorParts, Refusal } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";

/** The codes of errors. The contract shows those of 401, 403 and 404; the others are invented. */
const CODES: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
};

const MESSAGES: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "The API key is missing or invalid",
  403: "The API key lacks a required scope",
  404: "Resource not found",
  429: "Too many requests",
};

/** Returns the body of an error. gaps errors.undocumented-bodies, errors.forbidden-details */
export function errorBody(status: number, parts: ErrorParts, is: Is): unknown {
  const { message, issues = [], details } = parts;
  const isOwn = message !== undefined && status !== 400; // such as a failure of a test's function
  const isUndocumented = status === 400 || CODES[status] === undefined;
  if (isUndocumented && !isOwn && is("errors.undocumented-bodies", "empty")) return undefined;
  const code = CODES[status] ?? "INTERNAL_ERROR";
  if (status === 400 && issues.length > 0)
    return {
      errors: issues.map(({ path, message: text }) => {
        return { code, message: `${path || "the body"} ${text}`, details: { path } };
      }),
    };
  const hasDetails = details !== undefined && is("errors.forbidden-details", "always");
  const text = message ?? MESSAGES[status] ?? "The request failed";
  return { errors: [{ code, message: text, ...(hasDetails && { details }) }] };
}

/** Throws a 404 that names the resource: `refuseUnknown("damage")`. */
export function refuseUnknown(resource: string): never {
  throw new Refusal(404, { message: `${resource.charAt(0).toUpperCase()}${resource.slice(1)} not found` });
}
