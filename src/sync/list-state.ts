import { isObject, type JsonObject, objectOf, parseJson } from "../wire/json.ts";
import { InvalidRequestError, type SyncList } from "./clients.ts";
import { hashJson } from "./json.ts";

/** A digest for each part of a list: its operation, IDs, filters and base URL. A state contains it. */
export type ListIdentity = Readonly<Record<string, string>>;

/** Returns the identity of a list with the given IDs and filters. */
export function identify(list: SyncList<unknown>, parts: JsonObject): ListIdentity {
  const { extra, ...others } = parts;
  const all = { operation: list.operation, baseUrl: list.baseUrl, ...others, ...objectOf(extra) };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, hashJson({ value })]));
}

/**
 * Reads the saved state of a list.
 * @throws {InvalidRequestError} for another text, or for the state of another list; it names the difference
 */
export function readState(label: string, text: unknown, list: ListIdentity): object {
  const refuse = (message: string) => new InvalidRequestError(label, [{ path: "state", message }]);
  const state = typeof text === "string" ? parseJson(text) : undefined;
  if (!isObject(state) || !isObject(state.list) || (state.v !== 1 && state.v !== 2))
    throw refuse("must be a state that was saved before; omit it in the first run");
  const saved = state.list;
  const names = [...new Set([...Object.keys(saved), ...Object.keys(list)])];
  const differing = names.filter((name) => saved[name] !== list[name]);
  if (differing.length > 0) throw refuse(`belongs to a list with another ${differing.join(", ")}`);
  // what a run of version 0.1 has left open has another form: the run begins anew
  return state.v === 2 ? state : { ...state, v: 2, known: [], pass: null, run: null };
}
