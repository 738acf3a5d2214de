import {
  type CallOptions,
  callOptions,
  type Exposition,
  type ExpositionInput,
  type ExpositionList,
  InvalidRequestError,
  type Issue,
  type StoreApi,
} from "./clients.ts";
import { difference } from "./errors.ts";
import { checkExternalId, requireId, requireList, requireValid } from "./part-checks.ts";
import { complete, differing, type Equals, expositionPart } from "./parts.ts";
import { checkOptions, runInOrder } from "./tasks.ts";

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
const { label } = expositionPart;

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
  expositions: readonly ExpositionInput[],
  options: UpsertExpositionsOptions = {},
): Promise<ExpositionList> {
  checkOptions("upsertExpositions", options, ["absent", "matchBy", "equals"]);
  refuse(checkExternalId(externalId));
  await requireValid(label, [[expositionPart, expositions]]);
  const given = structuredClone(expositions);
  const call = callOptions(options);
  return runInOrder(resource, externalId, call.signal, () =>
    writeExpositions(resource, externalId, given, { ...options, call }),
  );
}

/** The settings of one write. */
interface WriteSettings extends ExpositionOptions {
  equals?: Equals | undefined;
  call: CallOptions;
  /** Called with the stored expositions before the first write; may throw. */
  inspect?: (stored: readonly Exposition[]) => void;
}

/** Writes expositions within the queue of their store. */
export async function writeExpositions(
  resource: StoreApi["expositions"],
  externalId: string,
  given: readonly ExpositionInput[],
  settings: WriteSettings,
): Promise<ExpositionList> {
  const { absent, call, inspect } = settings;
  const before = requireList(expositionPart, await resource.get(externalId, call), externalId);
  const { all, changed, issues } = matchExpositions(before.items, given, settings);
  refuse(issues);
  if (changed.length === 0) return before;
  inspect?.(before.items);
  const body = absent === "keep" ? changed.map(({ input }) => input) : all;
  if (body.length > most && absent !== "keep")
    refuse([
      {
        path: "expositions",
        message:
          `${body.length} elements need several requests, each of which omits the others: set absent: "keep" if ` +
          "the service keeps omitted expositions",
      },
    ]);
  for (let done = 0; done < body.length; done += most)
    requireId(label, await resource.upsert(externalId, body.slice(done, done + most), call), externalId);
  const after = requireList(expositionPart, await resource.get(externalId, call), externalId);
  const missed = matchExpositions(after.items, given, settings);
  const lost = missed.changed.map(({ index }) => ({
    path: `expositions.${index}`,
    message: "is not stored as it was given",
  }));
  const touched = new Set(changed.map(({ input }) => input.expositionId));
  const others = before.items.filter(({ expositionId }) => !touched.has(expositionId));
  const damaged = others.filter((item) => {
    const now = after.items.find(({ expositionId }) => expositionId === item.expositionId);
    return (
      now === undefined ||
      differing(expositionPart, complete(expositionPart, item), complete(expositionPart, now)).length > 0
    );
  });
  for (const { expositionId } of damaged)
    lost.push({
      path: `expositions.${expositionId}`,
      message: "was changed although no element refers to it",
    });
  const problems = [...missed.issues, ...lost];
  if (problems.length > 0) throw difference(label, problems);
  return after;
}

/** The changes that a list of expositions makes in a store. */
interface Matched {
  /** Every exposition of the store after the change. */
  all: ExpositionInput[];
  /** The elements that are new or differ from their exposition, with their place in the given list. */
  changed: { index: number; input: ExpositionInput }[];
  /** The elements that do not refer to exactly one exposition. */
  issues: Issue[];
}

/**
 * Finds the exposition of each element. A matched element gets the ID, so that it means the same whatever the service
 * matches by. Its omitted title keeps its value, its omitted status is `active`.
 */
export function matchExpositions(
  stored: readonly Exposition[],
  given: readonly ExpositionInput[],
  { matchBy, equals }: Pick<WriteSettings, "matchBy" | "equals">,
): Matched {
  const keyOf = ({ label: text, expositionType }: ExpositionInput): string =>
    JSON.stringify([matchBy === "type" ? "" : text, matchBy === "label" ? "" : expositionType]);
  const idOf = ({ expositionId }: ExpositionInput): string | undefined => expositionId?.toLowerCase();
  const byId = new Map(stored.map((exposition) => [idOf(exposition), exposition]));
  const byKey = Map.groupBy(stored, keyOf);
  const places = new Map<unknown, number>();
  const inputs = new Map<Exposition, ExpositionInput>();
  const created: ExpositionInput[] = [];
  const changed: Matched["changed"] = [];
  const issues: Issue[] = [];
  for (const [index, element] of given.entries()) {
    const id = idOf(element);
    const [exposition, second] = id === undefined ? (byKey.get(keyOf(element)) ?? []) : [byId.get(id)];
    // an element with an ID may give its exposition the key of another element
    const targets = [exposition ?? id ?? keyOf(element), keyOf(element)];
    const first = targets.map((target) => places.get(target)).find((place) => place !== undefined);
    for (const target of targets) places.set(target, index);
    const path = `expositions.${index}`;
    if (second !== undefined)
      issues.push({ path, message: "fits several expositions: give its expositionId" });
    else if (first !== undefined)
      issues.push({ path, message: `refers to the same exposition as element ${first}` });
    else if (exposition === undefined) {
      created.push({ ...element });
      changed.push({ index, input: { ...element } });
    } else {
      const own = Object.fromEntries(Object.entries(element).filter(([, value]) => value !== undefined));
      const { expositionId } = exposition;
      // an exposition has the required properties
      const now = complete(expositionPart, exposition) as object as ExpositionInput;
      const input = { ...now, status: "active" as const, ...own, expositionId };
      if (differing(expositionPart, input, now, equals).length === 0) continue;
      inputs.set(exposition, input);
      changed.push({ index, input });
    }
  }
  // as above
  const kept = stored.map(
    (item) => inputs.get(item) ?? (complete(expositionPart, item) as object as ExpositionInput),
  );
  return { all: [...kept, ...created], changed, issues };
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}
