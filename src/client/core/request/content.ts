import type { JsonObject } from "../../../wire/json.ts";
import type { Issue } from "../errors/issue.ts";
import type { BufferedResponse, Run } from "./run.ts";

/** A response with the details for an error about it. */
export interface FailedResponse {
  run: Run;
  buffered: BufferedResponse;
  /** Redacts secrets in a text. */
  clean: (text: string) => string;
}

/** A successful response and its JSON. */
export interface ResponseContent extends FailedResponse {
  json: JsonObject;
  /** The text that the JSON was parsed from. */
  text: string;
}

/** Represents the empty response of a DELETE (gap fleet.delete-response). */
export const nothing: JsonObject = { data: null };

/** The defect of a response: a description, or the violations of the contract. */
export type Defect = string | readonly Issue[];

/** The description of a body that is not JSON; the error adds a guess about what it is. */
export const notJson = "with a body that is not JSON";
