import type {
  ContactInput,
  ExpectationInput,
  ExpositionInput,
  StoreUpsert,
} from "../../../generated/store.ts";
import { isIterable, isObject, type JsonObject } from "../../wire/json.ts";
import { checkCallOptions } from "../core/options/check-options.ts";
import { checkHeaders } from "../core/options/headers.ts";
import { type CallOptions, resolveLimits } from "../core/options/options.ts";
import { copyJson, findUnsendable } from "../core/request/unsendable.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { storeProperties } from "./differences.ts";

/** The lists of a store that a plan can contain. */
export interface DesiredLists {
  /** All contacts of the store. */
  contacts?: readonly ContactInput[] | undefined;
  /** All expectations of the store. */
  expectations?: readonly ExpectationInput[] | undefined;
  /**
   * Expositions of the store. Each one refers to the exposition with its ID, or without one to that with the same label
   * and type. Others stay as they are, because the contract has no operation to delete them.
   */
  expositions?: readonly ExpositionInput[] | undefined;
}

/** A desired store: its external ID, the properties to compare, and its lists. */
export interface DesiredStore extends Omit<StoreUpsert, "externalId">, DesiredLists {
  externalId: string;
}

/** Returns the desired stores by external ID; reports all issues with them at once, with the label of the function. */
export function readDesired(desired: unknown, label = "planStores"): Map<string, DesiredStore> {
  const stores = new Map<string, DesiredStore>();
  const issues: Issue[] = [];
  const places = new Map<string, number>();
  let index = 0;
  if (!isIterable(desired))
    throw new InvalidRequestError(label, [{ path: "desired", message: "must be an array" }]);
  for (const given of desired) {
    const [unsendable] = findUnsendable(given);
    // a reader of a file may use one object for all rows
    const store = unsendable === undefined ? copyJson(given) : undefined;
    const problem = unsendable ?? problemOf(store, places);
    if (problem === undefined) {
      const valid = store as DesiredStore; // checked above
      places.set(valid.externalId, index);
      stores.set(valid.externalId, valid);
    } else
      issues.push({
        path: [index, problem.path].filter((part) => part !== "").join("."),
        message: problem.message,
      });
    index += 1;
  }
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
  return stores;
}

/** Rejects wrong options of calls, which may never be made. */
export function checkCalls(options: CallOptions): void {
  checkCallOptions(options);
  checkHeaders(options.headers);
  resolveLimits(options);
}

const listNames = ["contacts", "expectations", "expositions"];
const known = new Set<string>([...storeProperties.sent, ...storeProperties.received, ...listNames]);

function problemOf(store: unknown, places: ReadonlyMap<string, number>): Issue | undefined {
  if (!isObject(store)) return { path: "", message: "must be an object" };
  const { externalId } = store;
  const path = "externalId";
  if (typeof externalId !== "string" || externalId === "")
    return { path, message: "must be a non-empty string" };
  const before = places.get(externalId);
  if (before !== undefined) return { path, message: `${externalId} occurs twice, first at index ${before}` };
  const unknown = Object.keys(store).find((name) => !known.has(name) && store[name] !== undefined);
  if (unknown !== undefined) return { path: unknown, message: "is not a property of an upsert" };
  return listProblem(store);
}

function listProblem(store: JsonObject): Issue | undefined {
  for (const name of listNames) {
    const list = store[name];
    if (list === undefined) continue;
    if (!Array.isArray(list)) return { path: name, message: "must be an array" };
    const at = list.findIndex((element) => !isObject(element));
    if (at >= 0) return { path: `${name}.${at}`, message: "must be an object" };
  }
  return undefined;
}
