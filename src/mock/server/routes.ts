import { namesOf } from "../../wire/names.ts";

/** An operation of a generated table. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
}

/** The operations of a path and its parameters. */
export interface Match<Id extends string> {
  /** Operation IDs by method. */
  readonly operations: ReadonlyMap<string, Id>;
  readonly params: Record<string, string>;
}

/** The key of the branch of a path parameter. */
const PARAMETER = Symbol("parameter");

class Branch<Id> {
  readonly children = new Map<string | typeof PARAMETER, Branch<Id>>();
  readonly operations = new Map<string, Id>();
  /** The names of the path parameters. */
  names: readonly string[] = [];

  child(segment: string): Branch<Id> {
    const key = segment.startsWith("{") ? PARAMETER : segment;
    const child = this.children.get(key) ?? new Branch<Id>();
    this.children.set(key, child);
    return child;
  }
}

/** The routes of one API, built from its operation table. */
export class Routes<Id extends string = string> {
  readonly #root = new Branch<Id>();

  constructor(operations: Readonly<Record<Id, OperationEntry>>) {
    for (const id of namesOf(operations)) {
      const { method, path } = operations[id];
      let branch = this.#root;
      for (const segment of path.slice(1).split("/")) branch = branch.child(segment);
      branch.operations.set(method, id);
      branch.names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
    }
  }

  /** Finds the operations of a percent-encoded path. */
  match(path: string): Match<Id> | undefined {
    if (!path.startsWith("/")) return undefined;
    const ids: string[] = [];
    let branch: Branch<Id> | undefined = this.#root;
    for (const segment of path.slice(1).split("/")) {
      const literal: Branch<Id> | undefined = branch.children.get(segment);
      const id: string | undefined = literal === undefined ? decodeId(segment) : undefined;
      if (id !== undefined) ids.push(id);
      branch = literal ?? (id === undefined ? undefined : branch.children.get(PARAMETER));
      if (branch === undefined) return undefined;
    }
    const { operations, names } = branch;
    const params = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? ""]));
    return operations.size === 0 ? undefined : { operations, params };
  }
}

/** Decodes a path parameter; an empty segment, a dot segment and an invalid escape are not IDs. */
function decodeId(segment: string): string | undefined {
  try {
    const id = segment.includes("%") ? decodeURIComponent(segment) : segment;
    return isPathId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an ID can be a segment of a path. URL parsers remove dot segments, so that the path would be another one. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id !== "." && id !== "..";
}
