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

/** What `withResponse` gives beside the data. */
export type Aside = Omit<WithResponse<unknown>, "data">;

/** Sends at once. `send` keeps what the answer was before its promise is fulfilled; what it throws the call rejects with. */
export function makeCall<T>(send: (keep: (aside: Aside) => void) => Promise<T>): Call<T> {
  let kept: Aside | undefined;
  const keep = (aside: Aside): void => {
    kept = aside;
  };
  const data = settled(() => send(keep));
  const withResponse = (): Promise<WithResponse<T>> => data.then((it) => ({ data: it, ...(kept as Aside) })); // the data came after it
  return Object.assign(data, { withResponse });
}

function settled<T>(run: () => Promise<T>): Promise<T> {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error);
  }
}
