import { escapeLine } from "../../wire/foreign-text.ts";
import type { Refusal } from "./errors.ts";
import type { ScopeNeed } from "./scopes.ts";

/** A rejected request, and the contract's statement about its operation. */
export interface RefusedRequest extends Omit<Refusal, "explanation"> {
  /** The operation and its route, e.g. `getDamage (GET /damages/{id})`. */
  label: string;
  /** Undefined for a raw request to no documented operation. */
  need: ScopeNeed | undefined;
  /** Whether the response has the API's form. */
  isEnvelope: boolean;
}

/** Returns the rejected request, the contract's statement about it, and the scopes to request from an administrator. */
export function explain(refused: RefusedRequest): string {
  const sentences = [
    `${refused.label} was refused.`,
    refused.need === undefined ? "" : describeContract(refused.need),
    describeServer(refused),
    ownWriteScope(refused),
    describeNextStep(refused),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Returns the statement of the scope table, and that of the text if it differs. */
function describeContract({ entry, possiblySufficient }: ScopeNeed): string {
  const { rule, table, prose, gap } = entry;
  const statement = `The contract's scope table requires ${list(table, "and")}`;
  if (rule === "any") return `${statement}; its text also accepts ${list(prose, "or")}.`;
  if (rule === "disputed")
    return `${statement}, and its text requires ${list(prose, "and")}; whether one of them suffices is not stated (gap ${gap}).`;
  if (gap === undefined) return `${statement}.`;
  return `${statement}; whether ${list(possiblySufficient, "or")} also suffices, as for the list of fields, is not stated (gap ${gap}).`;
}

function describeServer({ required, available, isEnvelope }: RefusedRequest): string {
  if (!isEnvelope) return "The response does not have the API's form: it may come from a proxy or firewall.";
  if (required.length === 0) return "The server did not name the required scopes.";
  const has = available.length === 0 ? "no scopes" : list(available, "and");
  return `The server requires ${list(required, "and")}; the key has ${has}.`;
}

/** Explains that a write scope did not include the read scope (gap scopes.implications). */
function ownWriteScope({ missing, available }: RefusedRequest): string {
  const writes = missing.map((scope) => scope.replace(/:read$/, ":write"));
  const own = writes.filter((scope) => available.includes(scope));
  return own.length === 0 ? "" : `On this server, ${list(own, "and")} does not include reading.`;
}

function describeNextStep(refused: RefusedRequest): string {
  if (refused.required.length > 0 && refused.missing.length === 0) {
    return "The key has every scope that the server requires: ask the operator of the service for the reason.";
  }
  const scopes = scopesToRequest(refused) || "the scopes that it needs";
  return `Scopes are fixed when a key is created: ask a company administrator for a new key that has ${scopes} as well.`;
}

function scopesToRequest({ need, missing, anyOf }: RefusedRequest): string {
  if (need === undefined || (missing.length > 0 && anyOf.length === 0)) return list(missing, "and");
  const sure = need.sufficient.map((all) => list(all, "and"));
  return `${list(sure, "or")}${need.entry.rule === "disputed" ? " (one of them may suffice)" : ""}`;
}

/** Formats a list in words: `a, b or c`. */
function list(words: readonly string[], last: "and" | "or"): string {
  const listed = words.slice(0, 20).map((word) => escapeLine(word.slice(0, 100))); // those of the server are of any length
  const parts = [listed.slice(0, -1).join(", "), ...listed.slice(-1)];
  return parts.filter((part) => part !== "").join(` ${last} `);
}
