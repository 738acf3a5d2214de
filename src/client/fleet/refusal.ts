import type { ApiErrorDetails } from "../core/errors/response-errors.ts";
import { isObject } from "../../wire/json.ts";
import { FleetApiError, type Refusal, ScopeError } from "./errors.ts";
import { explain } from "./explanation.ts";
import type { ScopeNeed } from "./scopes.ts";

/** An operation of the contract. */
interface KnownOperation {
  id: string;
  need: ScopeNeed;
}

/** Creates the error of a status, with any body. @param operation undefined for another route than those of the contract */
export function fleetError(operation: KnownOperation | undefined, details: ApiErrorDetails): FleetApiError {
  return details.status === 403 ? scopeError(operation, details) : new FleetApiError(details);
}

function scopeError(operation: KnownOperation | undefined, details: ApiErrorDetails): ScopeError {
  const { method, route, body } = details;
  const need = operation?.need;
  const lists = readLists(need, body);
  const explanation = explain({
    ...lists,
    label: operation === undefined ? `${method} ${route}` : `${operation.id} (${method} ${route})`,
    need,
    isEnvelope: isObject(body) && Array.isArray(body.errors),
  });
  const { missing, anyOf } = lists;
  const scopes = missing.slice(0, 9).join(anyOf.length > 0 ? " or " : ", ");
  const hints = [
    ...(scopes === "" ? [] : [`missing ${scopes}`]),
    ...(details.hint === undefined ? [] : [details.hint]),
  ];
  return new ScopeError({ ...details, hint: hints.join("; ") || undefined }, { ...lists, explanation });
}

/** Reads `details` of the first error that has them (gap errors.forbidden-details). */
function readLists(need: ScopeNeed | undefined, body: unknown): Omit<Refusal, "explanation"> {
  const errors: readonly unknown[] = isObject(body) && Array.isArray(body.errors) ? body.errors : [];
  const details = errors.map((error) => (isObject(error) ? error.details : undefined)).find(isObject);
  const required = stringsOf(details?.required);
  const available = stringsOf(details?.available);
  const missing = required.filter((scope) => !available.includes(scope));
  const hasAlternatives = need !== undefined && (need.sufficient.length > 1 || need.entry.gap !== undefined);
  // if the key has one of them and was rejected, the others are needed as well
  const anyOf = hasAlternatives && missing.length > 1 && missing.length === required.length ? missing : [];
  return { required, available, missing, anyOf };
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((scope) => typeof scope === "string") : [];
}
