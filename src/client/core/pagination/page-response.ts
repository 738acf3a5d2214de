import type { JsonObject } from "../../../wire/json.ts";
import type { ResponseContent } from "../request/content.ts";
import { describeResponse, type WithResponse } from "../request/with-response.ts";

/** The page of a list, which can return its response. */
export interface PageWithResponse<P> {
  /** Returns the page and its HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<P>>;
}

/** Adds `withResponse` to the page of a list, hidden from serialization and comparison. */
export function addResponse<P extends PageWithResponse<P>>(
  properties: Omit<P, "withResponse" | "sent">,
  content: ResponseContent,
  meta?: JsonObject,
): P {
  const page = properties as P; // the statement below adds `withResponse`
  const value = async (): Promise<WithResponse<P>> => describeResponse(page, content, meta);
  return Object.defineProperty(page, "withResponse", { value });
}
