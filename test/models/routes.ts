/** Finds the operation of a request in a table of paths. */

export interface Route {
  readonly method: string;
  /** `/v1/stores/{externalId}` */
  readonly path: string;
}

export interface RouteMatch<R extends Route> {
  /** Undefined where the path is known and the method is not. */
  readonly route: R | undefined;
  readonly path: Readonly<Record<string, string>>;
}

interface Pattern<R extends Route> {
  readonly segments: readonly string[];
  readonly methods: Map<string, R>;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function capture(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const path: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? "";
    if (expected.startsWith("{")) {
      if (actual === "") return undefined;
      path[expected.slice(1, -1)] = decode(actual);
    } else if (expected !== actual) return undefined;
  }
  return path;
}

export function createRouter<R extends Route>(
  routes: readonly R[],
): (method: string, path: string) => RouteMatch<R> | undefined {
  const byLength = new Map<number, Pattern<R>[]>();
  const byPath = new Map<string, Pattern<R>>();
  for (const route of routes) {
    const segments = route.path.split("/");
    const pattern = byPath.get(route.path) ?? { segments, methods: new Map() };
    if (!byPath.has(route.path)) {
      byPath.set(route.path, pattern);
      byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), pattern]);
    }
    pattern.methods.set(route.method, route);
  }
  return (method, path) => {
    const segments = path.split("/");
    for (const pattern of byLength.get(segments.length) ?? []) {
      const captured = capture(pattern.segments, segments);
      if (captured) return { route: pattern.methods.get(method), path: captured };
    }
    return undefined;
  };
}
