import { type FleetOperationId, fleetOperations } from "../../generated/fleet.operations.ts";
import { isObject } from "../core/json.ts";
import { list, needOf } from "./scopes.ts";

/** What a 403 said about scopes. */
export interface Refusal {
  readonly required: readonly string[];
  readonly available: readonly string[];
  readonly missing: readonly string[];
  readonly anyOf: readonly string[];
}

/** Reads `details` of the first error that has them; any body will do (gap errors.forbidden-details). */
export function readRefusal(operation: FleetOperationId | undefined, body: unknown): Refusal {
  const errors = isObject(body) && Array.isArray(body.errors) ? (body.errors as unknown[]) : [];
  const details = errors.map((error) => (isObject(error) ? error.details : undefined)).find(isObject);
  const required = texts(details?.required);
  const available = texts(details?.available);
  const missing = required.filter((scope) => !available.includes(scope));
  // a key that has one of them and was refused needs the others as well
  const mayBeOne = operation !== undefined && missing.length > 1 && missing.length === required.length;
  const anyOf = mayBeOne && hasAlternatives(operation) ? missing : [];
  return { required, available, missing, anyOf };
}

/** Says what was refused, what the contract says about it, and what to ask an administrator for. */
export function explainRefusal(
  operation: FleetOperationId | undefined,
  doing: string,
  refusal: Refusal,
  isEnvelope: boolean,
): string {
  const sentences = [
    `${operation === undefined ? doing : `${operation} (${doing})`} was refused.`,
    operation === undefined ? "" : needOf(operation).explanation,
    whatTheServerSaid(refusal, isEnvelope),
    ownWriteScope(refusal),
    whatToAskFor(operation, refusal),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function whatTheServerSaid({ required, available }: Refusal, isEnvelope: boolean): string {
  if (!isEnvelope) return "The answer is not of the API's form: a proxy or firewall may have given it.";
  if (required.length === 0) return "The server did not say which scopes it asks for.";
  const has = available.length === 0 ? "no scopes" : list(available, "and");
  return `The server named ${list(required, "and")}; the key has ${has}.`;
}

/** Says that a write scope did not include the read scope (gap scopes.implications). */
function ownWriteScope({ missing, available }: Refusal): string {
  const write = missing
    .filter((scope) => scope.endsWith(":read"))
    .map((scope) => scope.replace(/:read$/, ":write"))
    .filter((scope) => available.includes(scope));
  return write.length === 0 ? "" : `Having ${list(write, "and")} does not include reading here.`;
}

function whatToAskFor(
  operation: FleetOperationId | undefined,
  { required, missing, anyOf }: Refusal,
): string {
  if (required.length > 0 && missing.length === 0) {
    return "The key has every scope that the server named: ask whoever runs the service for the reason.";
  }
  const wanted = scopesToAskFor(operation, missing, anyOf);
  const which = wanted === "" ? "the scopes that it needs" : wanted;
  return `Scopes are fixed when a key is created: ask a company administrator for a new key that has ${which} as well.`;
}

function scopesToAskFor(
  operation: FleetOperationId | undefined,
  missing: readonly string[],
  anyOf: readonly string[],
): string {
  if (operation === undefined || (missing.length > 0 && anyOf.length === 0)) return list(missing, "and");
  const sure = needOf(operation).surely.map((all) => list(all, "and"));
  const disputed = fleetOperations[operation].scopes.rule === "disputed";
  return `${list(sure, "or")}${disputed ? " (one of them may do)" : ""}`;
}

function hasAlternatives(operation: FleetOperationId): boolean {
  const { surely, gaps } = needOf(operation);
  return surely.length > 1 || gaps.some((gap) => gap !== "scopes.implications");
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
