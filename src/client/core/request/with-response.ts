import type { JsonObject } from "../../../wire/json.ts";
import { requestIdOf } from "../errors/request-id.ts";
import type { ResponseContent } from "./content.ts";

/** Data and its response. */
export interface WithResponse<T> {
  data: T;
  /** The HTTP response. Its body has been read. */
  response: Response;
  /** The request ID from the response headers; undefined if there is none. */
  requestId: string | undefined;
  /** The envelope's `meta`, if the API has one. */
  meta?: JsonObject;
}

/** Returns data with its response. */
export function describeResponse<T>(data: T, content: ResponseContent, meta?: JsonObject): WithResponse<T> {
  const { buffered, clean } = content;
  const { headers, response = new Response(null, { status: buffered.status, headers }) } = buffered.head;
  const id = requestIdOf(headers);
  const requestId = id === undefined ? undefined : clean(id);
  return meta === undefined ? { data, response, requestId } : { data, response, requestId, meta };
}
