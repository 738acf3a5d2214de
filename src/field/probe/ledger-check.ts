import { hasDotSegment } from "../../wire/path-segment.ts";
import { ProbeOptionError } from "./failures.ts";
import { type JsonObject, isObject, parseJson } from "../../wire/json.ts";
import type { LedgerEntry } from "./ledger.ts";
import { findRoute } from "../routes.ts";

/**
 * Parses the entries of a ledger. An incomplete last line is left out.
 *
 * @throws {ProbeOptionError} if an entry is not one that a run writes: it would send other requests with the secrets
 */
export function readLedger(text: string): LedgerEntry[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const entry = parseJson(line);
    if (entry === undefined && index === lines.length - 1) return [];
    return [checkEntry(entry, index)];
  });
}

/** Checks the entries of a ledger. @throws {ProbeOptionError} */
export function checkEntries(entries: readonly unknown[]): void {
  for (const [index, entry] of entries.entries()) checkEntry(entry, index);
}

function checkEntry(entry: unknown, index: number): LedgerEntry {
  const check = isObject(entry) ? checks[String(entry.type)] : undefined;
  if (!isObject(entry) || check?.(entry) !== true)
    throw new ProbeOptionError(`Line ${index + 1} of the ledger is not one that shelfleet probe writes`);
  return entry as unknown as LedgerEntry; // the checks accept nothing else
}

const checks: Readonly<Record<string, (entry: JsonObject) => boolean>> = {
  run: ({ marker, services }) =>
    /^shelfleet-probe-[\da-f]{8}$/.test(String(marker)) &&
    isObject(services) &&
    Object.values(services).every((url) => typeof url === "string"),
  saved: ({ path }) => isStorePath(path),
  write: ({ as, method, path }) =>
    (as === "store" || as === "sandbox") &&
    typeof method === "string" &&
    isOperation(as === "store" ? "store" : "fleet", method, path),
  renaming: ({ path, to }) => isStorePath(path) && isStorePath(to),
  created: ({ path, list }) =>
    isOperation("fleet", "POST", list) &&
    isOperation("fleet", "DELETE", path) &&
    String(path).slice(0, String(path).lastIndexOf("/")) === list,
  undone: ({ path }) => typeof path === "string",
};

/** Whether a path is a store, or one of the lists that a run replaces. */
function isStorePath(path: unknown): boolean {
  return isOperation("store", "PUT", path);
}

function isOperation(api: "store" | "fleet", method: string, path: unknown): boolean {
  return (
    typeof path === "string" &&
    /^[\x21-\x7e]+$/.test(path) &&
    !/[?#]/.test(path) &&
    !hasDotSegment(path) &&
    findRoute(api, method, path).operation !== undefined
  );
}
