/** The parts of features: what a program may choose, faults, and changes by other writers. */
import type {
  ApiName,
  Change,
  ClientSetup,
  Fault,
  JsonObject,
  ListChange,
  Step,
  World,
} from "../scenario.ts";
import type { Choices } from "./choices.ts";

export interface Feature {
  readonly api: ApiName;
  /** The data; the first choice of a history. */
  readonly data: readonly Partial<World>[];
  /** The gaps whose readings the service plays. */
  readonly gaps: readonly string[];
  readonly faults: readonly Fault[];
  readonly changes: readonly Change[];
  /** Each of its calls has a separate client: the events of the first client are not compared. */
  readonly isUnwatched?: true;
  /** The number of random histories that is enough: few differ, and each takes long. */
  readonly enough?: number;
  /** All histories of a bound are too many: exploration runs so many random ones. */
  readonly samples?: number;
  readonly make: (pick: Pick, world: World) => Draft;
}

export interface Draft {
  readonly programs: readonly (readonly Step[])[];
  /** The data, where they are chosen as well. */
  readonly world?: Partial<World>;
  readonly client?: Partial<ClientSetup>;
  /** Changes that no bound counts, by the number of the request. */
  readonly changes?: Readonly<Record<number, Change>>;
  /** Readings that the bound counts as a departure of the program: all pairs with another reading are explored. */
  readonly readings?: Readonly<Record<string, string>> | undefined;
  /** Faults that no bound counts, by the number of the request. */
  readonly faults?: Readonly<Record<number, Fault>>;
}

/** Two ways to choose between values: freely, or as a departure from the first one. */
export interface Pick {
  readonly any: <const T>(...values: readonly T[]) => T;
  readonly mostly: <const T>(...values: readonly T[]) => T;
}

export function pickWith(choices: Choices): Pick {
  return {
    any: (...values) => values[choices.choose(values.length)] as never, // the index is below the length
    mostly: (...values) => values[choices.depart("program", values.length)] as never,
  };
}

// Faults and changes

export const connection: readonly Fault[] = [{ kind: "lose" }, { kind: "cut" }];
export const rejection: readonly Fault[] = [
  { kind: "status", status: 503, acts: true, retryAfter: { seconds: 2, date: false } },
  { kind: "status", status: 429, acts: false, retryAfter: { seconds: 1, date: false } },
];
export const transport: readonly Fault[] = [
  ...connection,
  ...rejection,
  { kind: "status", status: 500, acts: false },
  { kind: "short" },
  { kind: "stall", acts: true },
  { kind: "stall-body" },
  { kind: "html" },
  { kind: "empty" },
  { kind: "refuse", code: "ECONNREFUSED" },
  { kind: "echo" },
  { kind: "redirect", status: 307, foreign: false },
  { kind: "redirect", status: 302, foreign: true },
];
export const pages: readonly Fault[] = [
  { kind: "lose" },
  { kind: "repeat" },
  { kind: "mixed" },
  { kind: "page" },
  { kind: "stale" },
  { kind: "error-body" },
];
export const totals: readonly Fault[] = [
  { kind: "contradict", property: "totalCount" },
  { kind: "contradict", property: "totalPages" },
  { kind: "contradict", property: "hasNextPage" },
  { kind: "contradict", property: "hasPreviousPage" },
];
export const entities: readonly Fault[] = [
  { kind: "lose" },
  { kind: "other" },
  { kind: "partial" },
  { kind: "error-body" },
  { kind: "unstored" },
  { kind: "cased" },
  { kind: "stale" },
  { kind: "html" },
  { kind: "status", status: 503, acts: false },
  { kind: "status", status: 404, acts: false },
];

export function changesOf(list: string, ...kinds: readonly ListChange[]): Change[] {
  return kinds.map((kind) => ({ kind, list, place: kind === "move" ? 0.99 : "request" }));
}

/** Changes at the beginning of the list: entries behind it move to other pages. */
export function early(list: string, ...kinds: readonly ListChange[]): Change[] {
  return kinds.map((kind) => ({ kind, list, place: 0.3 }));
}

export function exposition(label: string, more: JsonObject = {}): JsonObject {
  return { label, productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS", ...more };
}
