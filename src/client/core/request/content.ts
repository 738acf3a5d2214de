import type { JsonObject } from "../../../wire/json.ts";
import type { UnexpectedResponseError } from "../errors/errors.ts";
import type { Issue } from "../errors/issue.ts";
import type { BufferedResponse } from "./run.ts";

/** A successful response: its JSON, and the details for messages about it. */
export interface ResponseContent {
  /** The operation's ID in the OpenAPI document. */
  operation: string;
  /** The label for messages, e.g. `GET /v1/stores`. */
  label: string;
  status: number;
  json: JsonObject;
  /** The text that the JSON was parsed from. */
  text: string;
  buffered: BufferedResponse;
  /** Redacts secrets in a text. */
  clean: (text: string) => string;
  /** Creates the error for a defect of this response. */
  unexpected: (description: string, issues?: readonly Issue[]) => UnexpectedResponseError;
}

/** Represents the empty response of a DELETE (gap fleet.delete-response). */
export const nothing: JsonObject = { data: null };

/** Creates the error for a response that does not match a schema. */
export function schemaMismatch(
  content: ResponseContent,
  issues: readonly Issue[],
  to: "contract" | "shape" = "contract",
): UnexpectedResponseError {
  const whole = to === "contract" ? "the body" : "the value";
  const words = issues.slice(0, 5).map(({ path, message }) => `${path || whole}: ${message}`);
  const more = issues.length > 5 ? ` (and ${issues.length - 5} more)` : "";
  return content.unexpected(`does not fit the ${to}: ${words.join("; ")}${more}`, issues);
}
