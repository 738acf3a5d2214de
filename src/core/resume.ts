import { InvalidRequestError } from "./errors/errors.ts";
import { isObject, type JsonObject } from "../internal/json.ts";

/** The state in a resume token. */
export function parseResume(doing: string, token: unknown): JsonObject {
  try {
    const state: unknown = JSON.parse(String(token));
    if (isObject(state)) return state;
  } catch {
    // refused below, as any other text
  }
  throw badResume(doing);
}

export function badResume(doing: string): InvalidRequestError {
  return new InvalidRequestError(doing, [
    { path: "resume", message: "is not the `resume` of a page of this list" },
  ]);
}
