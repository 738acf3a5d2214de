import { isPathId } from "./path-segment.ts";

/** An operation of a generated table. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
}

/** The operations of a path and its parameters. */
export interface Match {
  /** Operation IDs by method. */
  readonly operations: ReadonlyMap<string, string>;
  readonly params: Record<string, string>;
}

interface Branch {
  literals: Map<string, Branch>;
  parameter: { name: string; branch: Branch } | undefined;
  operations: Map<string, string>;
}

/** The routes of one API, built from its operation table. */
export class Routes {
  readonly #root: Branch = newBranch();

  constructor(operations: Readonly<Record<string, OperationEntry>>) {
    for (const [id, { method, path }] of Object.entries(operations)) {
      let branch = this.#root;
      for (const segment of path.slice(1).split("/")) branch = childBranch(branch, segment);
      branch.operations.set(method, id);
    }
  }

  /** Finds the operations of a percent-encoded path. */
  match(path: string): Match | undefined {
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

function newBranch(): Branch {
  return { literals: new Map(), parameter: undefined, operations: new Map() };
}

function childBranch(at: Branch, segment: string): Branch {
  if (segment.startsWith("{")) {
    at.parameter ??= { name: segment.slice(1, -1), branch: newBranch() };
    return at.parameter.branch;
  }
  const next = at.literals.get(segment) ?? newBranch();
  at.literals.set(segment, next);
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
