import type { Fetch } from "shelfleet";

/** One request of a client, with its response. */
export interface Exchange {
  method: string;
  url: string;
  requestBody: string | null;
  status: number | null;
  headers: [name: string, value: string][];
  /** Null while the body is read, or if it did not arrive completely. */
  body: string | null;
  /** The error of `fetch` or of reading the body. */
  failure: string | null;
  duration: number | null;
}

/** Wraps the page's `fetch` and reports each request and response. */
export function watchedFetch(report: (exchange: Exchange) => void): Fetch {
  return async (input, init) => {
    const begun = performance.now();
    const exchange: Exchange = {
      ...sent(input, init),
      status: null,
      headers: [],
      body: null,
      failure: null,
      duration: null,
    };
    const reportOnce = (): void => {
      exchange.duration = performance.now() - begun;
      report(exchange);
    };
    report(exchange);
    try {
      const response = await fetch(input, init);
      exchange.status = response.status;
      exchange.headers = [...response.headers];
      reportOnce();
      void readBody(response.clone(), exchange).then(reportOnce);
      return response;
    } catch (error) {
      exchange.failure = String(error);
      reportOnce();
      throw error;
    }
  };
}

function sent(
  input: string,
  { method = "GET", body }: RequestInit,
): Pick<Exchange, "method" | "url" | "requestBody"> {
  return { method, url: input, requestBody: typeof body === "string" ? body : null };
}

async function readBody(response: Response, exchange: Exchange): Promise<void> {
  try {
    exchange.body = await response.text();
  } catch (error) {
    exchange.failure = String(error);
  }
}
