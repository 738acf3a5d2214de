import type { Fetch, FetchInit } from "../../src/client/core/transport/fetch.ts";
import type { DispatchHandler, DispatchOptions, UndiciDispatcher } from "../../src/client/node/undici.ts";

/** A dispatcher whose responses come from a `fetch`: the transport of undici runs without sockets. */
export function fetchDispatcher(fetch: Fetch): UndiciDispatcher {
  return {
    dispatch: (options, handler) => {
      void exchange(fetch, options, handler);
      return true;
    },
    close: async () => {},
  };
}

async function exchange(fetch: Fetch, options: DispatchOptions, handler: DispatchHandler): Promise<void> {
  const connection = new Connection();
  handler.onRequestStart(connection);
  try {
    const { signal } = connection;
    const received = await fetch(options.origin + options.path, { ...initOf(options), signal });
    const response = received as Response; // tests pass the platform's types
    handler.onResponseStart(connection, response.status, headersOf(response));
    for await (const chunk of response.body ?? []) {
      signal.throwIfAborted();
      handler.onResponseData(connection, chunk);
      await connection.flowing;
    }
    handler.onResponseEnd();
  } catch (error) {
    handler.onResponseError(connection, error);
  }
}

class Connection {
  readonly #controller = new AbortController();
  flowing: Promise<void> | undefined;
  #flow = (): void => {};

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  pause(): void {
    this.flowing ??= new Promise((resolve) => (this.#flow = resolve));
  }

  resume(): void {
    this.#flow();
    this.flowing = undefined;
  }
}

/** Removes the encodings that the transport requests, because stubs do not encode and tests compare the headers. */
function initOf({ method, headers, body }: DispatchOptions): Omit<FetchInit, "signal"> {
  const { "accept-encoding": _, "cache-control": _control, pragma: _pragma, ...requested } = headers;
  return {
    method,
    headers: requested,
    redirect: "manual",
    cache: "no-store",
    ...(body === null ? {} : { body }),
  };
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length === 0 ? {} : { "set-cookie": cookies }) };
}
