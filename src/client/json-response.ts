import type { Core } from "./core.ts";
import { type Issue, requestIdOf, type UnexpectedResponseError } from "./errors.ts";
import { unexpected } from "./read.ts";
import type { CallResult, ReadResponse } from "./response.ts";
import { toPlatformHeaders } from "./response-headers.ts";

/** The response of a call. A `Headers` object is created when it is read. */
export class JsonResponse implements ReadResponse {
  readonly ok = true as const;
  readonly status: number;
  readonly url: string;
  readonly #core: Core;
  readonly #result: CallResult;
  #headers: Headers | undefined;

  constructor(core: Core, result: CallResult) {
    this.status = result.received.status;
    this.url = result.received.url;
    this.#core = core;
    this.#result = result;
  }

  get headers(): Headers {
    return (this.#headers ??= toPlatformHeaders(this.#result.received.headers));
  }

  requestId(): string | undefined {
    return requestIdOf(this.#result.received.headers, this.#core.redactor.redact);
  }

  unexpected(summary: string, issues?: readonly Issue[]): UnexpectedResponseError {
    return unexpected(this.#core, this.#result, summary, issues);
  }
}
