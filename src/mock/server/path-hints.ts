import { findSimilar } from "../../wire/names.ts";
import { operations, type Routes } from "./operations.ts";

/** The routes of the API that a request was sent to, and of the other one. */
interface RoutesOfBoth {
  readonly own: Pick<Routes, "match">;
  readonly other: Pick<Routes, "match">;
  readonly isStore: boolean;
}

/** No path of an API has so many segments, even where IDs have slashes. */
const MAX_SEGMENTS = 20;

/** Returns what is probably wrong with a path that no operation has. */
export function pathHint(path: string, { own, other, isStore }: RoutesOfBoth): string {
  const segments = path.split("/").slice(1);
  if (segments.length > MAX_SEGMENTS) return "";
  if (path.endsWith("/") && own.match(path.slice(0, -1)) !== undefined)
    return ": one has it without the slash at its end";
  if (segments.some((segment) => !isDecodable(segment)))
    return ": a part of it is not percent-encoded UTF-8. Encode IDs with encodeURIComponent";
  if (segments.some((segment) => /^(?:\.|%2e){0,2}$/i.test(segment)))
    return ": one of its parts is empty, or a dot segment";
  const repeated = segments.findIndex(
    (_, index) => index > 0 && own.match(`/${segments.slice(index).join("/")}`),
  );
  if (repeated !== -1)
    return `: one has it without /${segments.slice(0, repeated).join("/")}, which the base URL may contain`;
  if (joinsToRoute(segments, own))
    return ": an ID that contains a slash must be encoded with encodeURIComponent";
  if (other.match(path) !== undefined)
    return `: it is a path of the ${isStore ? "fleet" : "store"} API, which has another base URL`;
  if (isStore && !path.startsWith("/v1/")) return ": its paths begin with /v1/";
  return nearestPath(path, isStore);
}

function isDecodable(segment: string): boolean {
  try {
    return decodeURIComponent(segment) !== undefined;
  } catch {
    return false;
  }
}

/** Whether an operation has the path if neighboring segments are one ID with slashes. */
function joinsToRoute(segments: readonly string[], routes: RoutesOfBoth["own"]): boolean {
  return segments.some((_, start) =>
    segments.some((__, end) => {
      if (end <= start) return false;
      const id = segments.slice(start, end + 1).join("%2F");
      return (
        routes.match(`/${[...segments.slice(0, start), id, ...segments.slice(end + 1)].join("/")}`) !==
        undefined
      );
    }),
  );
}

function nearestPath(path: string, isStore: boolean): string {
  const known = Object.values(operations)
    .map((operation) => operation.path)
    .filter((own) => own.startsWith("/v1/") === isStore);
  const similar = findSimilar(path.slice(0, 200), known);
  return similar === undefined ? "" : `. Did you mean ${similar}?`;
}
