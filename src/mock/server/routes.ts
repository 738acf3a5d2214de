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

interface Branch<Id> {
  literals: Map<string, Branch<Id>>;
  parameter: { name: string; branch: Branch<Id> } | undefined;
  operations: Map<string, Id>;
}

/** The routes of one API, built from its operation table. */
export class Routes<Id extends string = string> {
  readonly #root: Branch<Id> = newBranch();

  constructor(operations: Readonly<Record<Id, OperationEntry>>) {
    for (const id of namesOf(operations)) {
      const { method, path } = operations[id];
      let branch = this.#root;
      for (const segment of path.slice(1).split("/")) branch = childBranch(branch, segment);
      branch.operations.set(method, id);
    }
  }

  /** Finds the operations of a percent-encoded path. */
  match(path: string): Match<Id> | undefined {
    if (!path.startsWith("/")) return undefined;
    const params: Record<string, string> = {};
    let branch = this.#root;
    for (const segment of path.slice(1).split("/")) {
      const literal = branch.literals.get(segment);
      if (literal !== undefined) {
        branch = literal;
        continue;
      }
      const id = branch.parameter === undefined ? undefined : decodeId(segment);
      if (branch.parameter === undefined || id === undefined) return undefined;
      params[branch.parameter.name] = id;
      branch = branch.parameter.branch;
    }
    return branch.operations.size === 0 ? undefined : { operations: branch.operations, params };
  }
}

function newBranch<Id>(): Branch<Id> {
  return { literals: new Map(), parameter: undefined, operations: new Map() };
}

function childBranch<Id>(branch: Branch<Id>, segment: string): Branch<Id> {
  if (segment.startsWith("{")) {
    branch.parameter ??= { name: segment.slice(1, -1), branch: newBranch() };
    return branch.parameter.branch;
  }
  const next = branch.literals.get(segment) ?? newBranch<Id>();
  branch.literals.set(segment, next);
  return next;
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
