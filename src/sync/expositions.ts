import { type api, type CallOptions, callOptions, type Issue, type StoreApi } from "./clients.ts";
import { difference } from "./errors.ts";
import { checkExternalId, findIssues, refuse, requireId, requireList } from "./part-checks.ts";
import { isObject } from "../wire/json.ts";
import { withoutUndefined } from "./json.ts";
import { readWritten } from "./modify.ts";
import { complete, differing, type Equals, labelOf, type ListName, listParts, storePart } from "./parts.ts";
import { runInOrder } from "./tasks.ts";

/** The options about expositions. */
export interface ExpositionOptions {
  /**
   * The service keeps expositions that a request omits. Then only changed ones are sent, and any number. Without it each
   * request has every exposition of the store, and more than 500 are an error.
   */
  absent?: "keep" | undefined;
  /** The properties that identify an exposition without `expositionId` (default: both). */
  matchBy?: "label" | "type" | "label-and-type" | undefined;
}

/** The options of `upsertExpositions`. */
export interface UpsertExpositionsOptions extends CallOptions, ExpositionOptions {
  /** Compares a desired value with that of the service: `expositions.label`. */
  equals?: Equals | undefined;
}

/** The most expositions in a request. Contract: store 8. */
const most = 500;
const part = listParts.expositions;
const label = labelOf(part);

/**
 * Creates or updates any number of expositions. An element without `expositionId` refers to the exposition with the same
 * label and type, so that a repeated run creates nothing twice. Expositions that are equal already are not sent.
 * @returns all expositions of the store, read after the last request
 * @throws {InvalidRequestError} if an element cannot be sent, fits several expositions, or refers to the same as another;
 * nothing is sent then
 * @throws {WriteError} if the last read shows that the service did not keep all of them (`differs`)
 * @example await upsertExpositions(store, "S-1", expositions, { absent: "keep" });
 */
export async function upsertExpositions(
  { expositions: resource }: Pick<StoreApi, "expositions">,
  externalId: string,
  expositions: readonly api.ExpositionInput[],
  options: UpsertExpositionsOptions = {},
): Promise<api.ExpositionList> {
  const given = structuredClone(expositions);
  refuse(label, [...checkExternalId(externalId), ...(await findIssues(part, given))]);
  return runInOrder(resource, externalId, options.signal, () =>
    writeExpositions(resource, externalId, given, { ...options, call: callOptions(options) }),
  );
}

/** The settings of one write. */
interface WriteSettings extends ExpositionOptions {
  equals?: Equals | undefined;
  call: CallOptions;
  /** Called with the stored expositions before the first write; may throw. */
  inspect?: (stored: readonly api.Exposition[]) => void;
}

/** Writes expositions within the queue of their store. */
export async function writeExpositions(
  resource: StoreApi["expositions"],
  externalId: string,
  given: readonly api.ExpositionInput[],
  settings: WriteSettings,
): Promise<api.ExpositionList> {
  const { absent, call } = settings;
  const before = requireList(part, await resource.get(externalId, call), externalId);
  const { all, changed, issues } = matchExpositions(before.items, given, settings);
  refuse(label, issues);
  if (changed.size === 0) return before;
  settings.inspect?.(before.items);
  const body = absent === "keep" ? [...changed.values()] : all;
  refuse(label, findTooMany(body.length, settings));
  const read = () => resource.get(externalId, call);
  for (let done = 0; done < body.length; done += most) {
    const write = resource.upsert(externalId, body.slice(done, done + most), call);
    requireId(part, await readWritten(write, settings.equals, read), externalId);
  }
  const after = requireList(part, await resource.get(externalId, call), externalId);
  const missed = matchExpositions(after.items, given, settings);
  const lost = [...missed.changed.keys()].map((index) => issueOf(index, "is not stored as it was given"));
  const touched = new Set([...changed.values()].map(({ expositionId }) => expositionId));
  for (const item of before.items.filter(({ expositionId }) => !touched.has(expositionId))) {
    const now = after.items.find(({ expositionId }) => expositionId === item.expositionId);
    if (differing(part, complete(part, item), complete(part, now ?? {})).length > 0)
      lost.push(issueOf(item.expositionId, "was changed although no element refers to it"));
  }
  const problems = [...missed.issues, ...lost];
  if (problems.length > 0) throw difference(label, problems);
  return after;
}

function issueOf(place: number | string, message: string): Issue {
  return { path: `expositions.${place}`, message };
}

/** The changes that a list of expositions makes in a store. */
interface Matched {
  /** Every exposition of the store after the change. */
  all: api.ExpositionInput[];
  /** The elements that are new or differ from their exposition, by their index in the given list. */
  changed: Map<number, api.ExpositionInput>;
  /** The elements that do not refer to exactly one exposition. */
  issues: Issue[];
}

/**
 * Finds the exposition of each element. A matched element gets the ID, so that it means the same whatever the service
 * matches by. Its omitted title keeps its value, its omitted status is `active`.
 */
export function matchExpositions(
  stored: readonly api.Exposition[],
  given: readonly api.ExpositionInput[],
  { matchBy, equals }: Pick<WriteSettings, "matchBy" | "equals">,
): Matched {
  const keyOf = ({ label: text, expositionType }: api.ExpositionInput): string =>
    JSON.stringify([matchBy === "type" ? "" : text, matchBy === "label" ? "" : expositionType]);
  const byKey = Map.groupBy(stored, keyOf);
  const byId = Map.groupBy(stored, idOf);
  const places = new Map<unknown, number>();
  const inputs = new Map(stored.map((item) => [item, inputOf(item)]));
  const changed: Matched["changed"] = new Map();
  const issues: Issue[] = [];
  for (const [index, element] of given.entries()) {
    const id = idOf(element);
    const [exposition, second] = (id === undefined ? byKey.get(keyOf(element)) : byId.get(id)) ?? [];
    // an element with an ID may give its exposition the key of another element
    const targets = [exposition ?? id ?? keyOf(element), keyOf(element)];
    const first = targets.map((target) => places.get(target)).find((place) => place !== undefined);
    for (const target of targets) places.set(target, index);
    if (second !== undefined) issues.push(issueOf(index, "fits several expositions: give its expositionId"));
    else if (first !== undefined)
      issues.push(issueOf(index, `refers to the same exposition as element ${first}`));
    else if (exposition === undefined) changed.set(index, { ...element });
    else {
      const now = inputOf(exposition);
      const input: api.ExpositionInput = {
        ...now,
        status: "active",
        ...withoutUndefined(element),
        expositionId: exposition.expositionId,
      };
      if (differing(part, input, now, equals).length === 0) continue;
      inputs.set(exposition, input);
      changed.set(index, input);
    }
  }
  return { all: [...new Set([...inputs.values(), ...changed.values()])], changed, issues };
}

function idOf({ expositionId }: api.ExpositionInput): string | undefined {
  return expositionId?.toLowerCase();
}

function inputOf(item: api.Exposition): api.ExpositionInput {
  return complete(part, item) as object as api.ExpositionInput; // it has the required properties
}

/** Returns what the client would refuse of a desired store, whose lists are properties beside its own. */
export async function findRowIssues(given: unknown, options: ExpositionOptions): Promise<Issue[]> {
  if (!isObject(given)) return [{ path: "", message: "must be an object" }];
  const { externalId, contacts, expectations, expositions, ...own } = given;
  const lists = { contacts, expectations, expositions };
  const names = (Object.keys(lists) as ListName[]).filter((name) => lists[name] !== undefined);
  const parts = [
    findIssues(storePart, own),
    ...names.map((name) => findIssues(listParts[name], lists[name])),
  ];
  const issues = [...checkExternalId(externalId), ...(await Promise.all(parts)).flat()];
  if (issues.length > 0 || expositions === undefined) return issues;
  const elements = expositions as api.ExpositionInput[]; // they have no issues
  return [...matchExpositions([], elements, options).issues, ...findTooMany(elements.length, options)];
}

function findTooMany(count: number, { absent }: ExpositionOptions): Issue[] {
  if (count <= most || absent === "keep") return [];
  const message =
    `${count} elements need several requests, each of which omits the others: set absent: "keep" if the service ` +
    "keeps omitted expositions";
  return [{ path: part.name, message }];
}
