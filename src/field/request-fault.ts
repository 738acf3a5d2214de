import { hasDotSegment } from "../wire/path-segment.ts";

/** The largest number of characters of a path and its query: a cursor or an ID of a service may have any length. */
const MAX_LENGTH = 65_536;

/** Returns the reason that a request must not be sent; `undefined` if there is none. */
export function requestFault(path: string, search: string): string | undefined {
  if (hasDotSegment(path)) return "a path cannot contain this ID of the service";
  return path.length + search.length > MAX_LENGTH ? "the path and the query are too long" : undefined;
}
