import type { WriteError } from "./clients.ts";
import { type api, callOptions, type Issue, type StoreApi, writeReasonOf } from "./clients.ts";
import type { JsonObject } from "../wire/json.ts";
import { difference, finishJob, RowError } from "./errors.ts";
import { omitUndefined } from "../wire/names.ts";
import { modifyPart, type ModifyOptions } from "./modify.ts";
import { checkExternalId, type Equals, type Part, parts, refuse } from "./parts.ts";

/**
 * Creates or updates expositions of a store that has at most 500 afterwards: the request has all of them (contract 4). An
 * element without `expositionId` refers to the exposition with the same label and type, so that a repeated run creates nothing
 * twice. Nothing is sent if all are equal already.
 * @returns all expositions of the store, read after the last request
 * @throws {InvalidRequestError} if an element cannot be sent, fits several expositions, or refers to the same as another;
 * nothing is sent then
 * @throws {JobError} if the last read shows that the service did not keep all of them (`differs`)
 * @example await upsertExpositions(store, "S-1", expositions);
 */
export async function upsertExpositions(
  { expositions: resource }: Pick<StoreApi, "expositions">,
  externalId: string,
  expositions: readonly api.ExpositionInput[],
  options: ModifyOptions = {},
): Promise<api.ExpositionList> {
  const given = structuredClone(expositions);
  const { expositions: part } = parts;
  refuse(part.label, [...checkExternalId(externalId), ...(await part.findIssues(given))]);
  const change = (now: readonly object[]) => matchExpositions(part, now, given, options.equals);
  const list = modifyPart({ partOf: () => part, resource, externalId, change, options });
  // the resource returns its own list
  return (list as Promise<api.ExpositionList>).catch(async (error: unknown) => {
    if (writeReasonOf(error) !== "differs") throw error;
    const failed = (error as WriteError).issues.map((issue) => {
      const id = issue.path.replace(/^expositions\./, "");
      return { id, error: new RowError(id, "expositions", difference(part.label, [issue])) };
    });
    const results = await resource.get(externalId, callOptions(options));
    return finishJob("upsertExpositions", failed, results);
  });
}

/**
 * Returns all expositions of a store after a change, or the same array if nothing changes. A matched element gets the ID, so
 * that it means the same whatever the service matches by. Its omitted title keeps its value, its omitted status is `active`.
 * @throws {InvalidRequestError} if an element does not refer to exactly one exposition
 */
export function matchExpositions(
  part: Part,
  stored: readonly object[],
  given: readonly object[],
  equals?: Equals,
): readonly object[] {
  const items = stored as readonly JsonObject[]; // elements of the service
  const byKey = Map.groupBy(items, keyOf);
  const byId = Map.groupBy(items, idOf);
  const after = new Map<JsonObject, JsonObject>(items.map((item) => [item, item]));
  const places = new Map<unknown, number>();
  const issues: Issue[] = [];
  for (const [index, input] of given.entries()) {
    const element: JsonObject = { ...input };
    const id = idOf(element);
    const [found, second] = (id === undefined ? byKey.get(keyOf(element)) : byId.get(id)) ?? [];
    // an element with an ID may give its exposition the key of another element
    const targets = [found ?? id ?? keyOf(element), keyOf(element)];
    const first = targets.map((target) => places.get(target)).find((place) => place !== undefined);
    for (const target of targets) places.set(target, index);
    const path = `expositions.${index}`;
    if (second !== undefined)
      issues.push({ path, message: "fits several expositions: give its expositionId" });
    else if (first !== undefined)
      issues.push({ path, message: `refers to the same exposition as element ${first}` });
    if (found === undefined) {
      after.set(element, element);
      continue;
    }
    const now = part.complete(found);
    const { expositionId } = found;
    const next = { ...now, status: "active", ...omitUndefined(element), expositionId };
    if (part.findDiffering(next, now, equals).length > 0) after.set(found, next);
  }
  refuse(part.label, issues);
  const isSame = after.size === items.length && [...after].every(([before, next]) => before === next);
  return isSame ? stored : [...after.values()];
}

function keyOf({ label, expositionType }: JsonObject): string {
  return JSON.stringify([label, expositionType]);
}

function idOf({ expositionId }: JsonObject): string | undefined {
  return typeof expositionId === "string" ? expositionId.toLowerCase() : undefined;
}
