import { isObject } from "../../../wire/json.ts";
import { ApiError } from "./response-errors.ts";

/**
 * Whether the service itself says that an entity does not exist. A gateway or a wrong base URL causes a 404 too, without
 * the API's code or form (gap errors.code-presence).
 */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 404) return false;
  // only the subclasses have a code
  const { code, body } = error as ApiError & { readonly code?: string };
  if (code !== undefined) return /^not_found$/i.test(code);
  return isObject(body) && (isObject(body.error) || Array.isArray(body.errors));
}
