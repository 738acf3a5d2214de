import type { JsonObject } from "./json.ts";

/** What an answer was, beside its data. */
export interface WithResponse<T> {
  data: T;
  /** The HTTP answer; its body has been read already. */
  response: Response;
  /** The envelope's `meta`, where the API has one. */
  meta?: JsonObject;
}

/** The answer of one request: sent at once, and once, however often it is awaited. */
export interface Call<T> extends Promise<T> {
  /** The data together with the HTTP answer. Sends nothing. */
  withResponse(): Promise<WithResponse<T>>;
}

export function makeCall<T>(answer: Promise<WithResponse<T>>): Call<T> {
  const data = answer.then((it) => it.data);
  const withResponse = (): Promise<WithResponse<T>> => {
    // whoever asks for the response handles the failure there, not on a promise they never saw
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
