import type { Refusal } from "./errors.ts";
import type { ScopeNeed } from "./scopes.ts";

/** A refusal, and what the contract says about its operation. */
export interface Refused extends Omit<Refusal, "explanation"> {
  /** `getDamage (GET /damages/{id})`. */
  label: string;
  /** Undefined for a raw request that is no operation of the contract. */
  need: ScopeNeed | undefined;
  /** Whether the response has the API's form. */
  isEnvelope: boolean;
}

/** Says what was refused, what the contract says about it, and what to ask an administrator for. */
export function explain(refused: Refused): string {
  const sentences = [
    `${refused.label} was refused.`,
    refused.need === undefined ? "" : whatTheContractSays(refused.need),
    whatTheServerSaid(refused),
    ownWriteScope(refused),
    whatToAskFor(refused),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** What the table says, and what the text says where it differs. */
function whatTheContractSays({ entry, perhaps }: ScopeNeed): string {
  const { rule, table, prose, gap } = entry;
  const says = `The contract's scope table asks for ${list(table, "and")}`;
  if (rule === "any") return `${says}; its text also accepts ${list(prose, "or")}.`;
  if (rule === "disputed")
    return `${says}, its text for ${list(prose, "and")}; whether one of them suffices is not stated (gap ${gap}).`;
  if (gap === undefined) return `${says}.`;
  return `${says}; whether ${list(perhaps, "or")} suffices too, as for the list of fields, is not stated (gap ${gap}).`;
}

function whatTheServerSaid({ required, available, isEnvelope }: Refused): string {
  if (!isEnvelope) return "The response is not of the API's form: it may come from a proxy or firewall.";
  if (required.length === 0) return "The server did not say which scopes it asks for.";
  const has = available.length === 0 ? "no scopes" : list(available, "and");
  return `The server named ${list(required, "and")}; the key has ${has}.`;
}

/** Says that a write scope did not include the read scope (gap scopes.implications). */
function ownWriteScope({ missing, available }: Refused): string {
  const writes = missing.map((scope) => scope.replace(/:read$/, ":write"));
  const own = writes.filter((scope) => available.includes(scope));
  return own.length === 0 ? "" : `Having ${list(own, "and")} does not include reading here.`;
}

function whatToAskFor(refused: Refused): string {
  if (refused.required.length > 0 && refused.missing.length === 0) {
    return "The key has every scope that the server named: ask whoever runs the service for the reason.";
  }
  const scopes = scopesToAskFor(refused) || "the scopes that it needs";
  return `Scopes are fixed when a key is created: ask a company administrator for a new key that has ${scopes} as well.`;
}

function scopesToAskFor({ need, missing, anyOf }: Refused): string {
  if (need === undefined || (missing.length > 0 && anyOf.length === 0)) return list(missing, "and");
  const sure = need.surely.map((all) => list(all, "and"));
  return `${list(sure, "or")}${need.entry.rule === "disputed" ? " (one of them may do)" : ""}`;
}

/** A list in words: `a, b or c`. */
function list(words: readonly string[], last: "and" | "or"): string {
  const shown = words.slice(0, 20); // a server's list may have any length
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${last} ${shown.at(-1)}`;
}
