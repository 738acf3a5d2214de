/** An operation as `generated/` lists it. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
}

/** Where a request leads. */
export interface Match {
  /** Method to operation id. */
  readonly operations: ReadonlyMap<string, string>;
  readonly params: Record<string, string>;
}

interface Branch {
  literals: Map<string, Branch>;
  parameter: { name: string; branch: Branch } | undefined;
  operations: Map<string, string>;
}

/** The route table of one API, made of its generated operations. */
export class Routes {
  readonly #root: Branch = newBranch();

  constructor(operations: Readonly<Record<string, OperationEntry>>) {
    for (const [id, { method, path }] of Object.entries(operations)) {
      let at = this.#root;
      for (const segment of path.slice(1).split("/")) at = childBranch(at, segment);
      at.operations.set(method, id);
    }
  }

  /** The operations of a path that is still percent-encoded; nothing where no route has its form. */
  match(path: string): Match | undefined {
    if (!path.startsWith("/")) return undefined;
    const params: Record<string, string> = {};
    let at = this.#root;
    for (const segment of path.slice(1).split("/")) {
      const literal = at.literals.get(segment);
      if (literal !== undefined) {
        at = literal;
        continue;
      }
      const id = at.parameter === undefined ? undefined : decodeId(segment);
      if (at.parameter === undefined || id === undefined) return undefined;
      params[at.parameter.name] = id;
      at = at.parameter.branch;
    }
    return at.operations.size === 0 ? undefined : { operations: at.operations, params };
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

/** Nothing for what cannot be an id: no text, a dot segment, a broken escape. */
function decodeId(segment: string): string | undefined {
  if (segment === "" || segment === "." || segment === "..") return undefined;
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
