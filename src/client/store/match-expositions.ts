import { storeInputs } from "../../../generated/store.inputs.ts";
import type { Exposition, ExpositionInput } from "../../../generated/store.ts";
import { findUnsendable } from "../core/request/unsendable.ts";
import type { Issue } from "../core/errors/issue.ts";
import { differingProperties } from "./differences.ts";
import { toInput } from "./inputs.ts";

const properties = storeInputs.ExpositionInput;

/** The changes that a list of expositions makes in a store. */
interface Matched {
  /** Every exposition of the store after the change. */
  all: ExpositionInput[];
  /** The elements that are new or differ from their exposition. */
  changed: ExpositionInput[];
  /** The indices of these elements in the given list. */
  changedAt: number[];
  /** The expositions that no element refers to. */
  untouched: Exposition[];
  /** The elements that do not refer to exactly one exposition. */
  issues: Issue[];
}

/** The readings of gap expositions.matching under which the service uses fewer properties than this package. */
const keys: Readonly<Record<string, (exposition: ExpositionInput) => string>> = {
  label: ({ label }) => label,
  type: ({ expositionType }) => expositionType,
};

function labelAndType({ label, expositionType }: ExpositionInput): string {
  return JSON.stringify([label, expositionType]);
}

/**
 * Finds the exposition of each element: by its ID, or else by label and type, or by what the service uses. A matched
 * element gets the ID, so that it has the same meaning under each reading of gap expositions.matching. Its omitted title
 * keeps its value, its omitted status is `active`.
 */
export function matchExpositions(
  stored: readonly Exposition[],
  given: readonly ExpositionInput[],
  reading: string | undefined,
): Matched {
  const keyOf = keys[reading ?? ""] ?? labelAndType;
  const byId = new Map(stored.map((exposition) => [exposition.expositionId.toLowerCase(), exposition]));
  const byKey = new Map<string, Exposition[]>();
  for (const exposition of stored)
    byKey.set(keyOf(exposition), [...(byKey.get(keyOf(exposition)) ?? []).slice(0, 1), exposition]);
  const changes = new Map<Exposition, ExpositionInput>();
  /** The element of each exposition, the last one with each key, and the last one of these that has no ID. */
  const places = new Map<string | undefined, number>();
  const keyed = new Map<string, number>();
  const unnamed = new Map<string, number>();
  const created: ExpositionInput[] = [];
  const changedAt: number[] = [];
  const issues: Issue[] = [];
  for (const [index, element] of given.entries()) {
    const unsendable = findUnsendable(element, `${index}`);
    if (unsendable.length > 0) {
      issues.push(...unsendable);
      continue;
    }
    const id = typeof element.expositionId === "string" ? element.expositionId.toLowerCase() : undefined;
    const key = keyOf(element);
    const candidates = id === undefined ? byKey.get(key) : [byId.get(id)];
    const [exposition, second] = candidates ?? [];
    const place = exposition?.expositionId.toLowerCase() ?? id;
    // an element with an ID may give its exposition the key of one without
    const first = places.get(place) ?? (id === undefined ? keyed : unnamed).get(key);
    if (place !== undefined) places.set(place, index);
    keyed.set(key, index);
    if (id === undefined) unnamed.set(key, index);
    if (second !== undefined)
      issues.push({ path: `${index}`, message: "fits several expositions: give its expositionId" });
    else if (first !== undefined)
      issues.push({ path: `${index}`, message: `refers to the same exposition as element ${first}` });
    else if (exposition === undefined) {
      created.push({ ...element });
      changedAt.push(index);
    } else {
      const input = overlay(exposition, element);
      if (differingProperties(input, complete(exposition)).length === 0) continue;
      changes.set(exposition, input);
      changedAt.push(index);
    }
  }
  const kept = stored.map((exposition) => changes.get(exposition) ?? complete(exposition));
  const untouched = stored.filter(({ expositionId }) => !places.has(expositionId.toLowerCase()));
  const changed = [...changes.values(), ...created];
  return { all: [...kept, ...created], changed, changedAt, untouched, issues };
}

function complete(exposition: Exposition): ExpositionInput {
  return toInput(exposition, properties) as object as ExpositionInput; // an exposition has the required properties
}

function overlay(exposition: Exposition, element: ExpositionInput): ExpositionInput {
  const given = Object.entries(element).filter(([, value]) => value !== undefined);
  const { status } = properties.defaults;
  const { expositionId } = exposition;
  return { ...complete(exposition), status, ...Object.fromEntries(given), expositionId };
}
