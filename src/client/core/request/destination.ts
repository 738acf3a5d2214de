import { ConfigurationError } from "../errors/errors.ts";

/** The place that requests are sent to. */
export interface Destination {
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  /** The environment of the key; undefined for an API with one environment. */
  readonly environment?: string;
}

/** Rejects the first destination of a call or walk by throwing an error. */
export type DestinationCheck = (destination: Destination) => void;

/**
 * Keeps all requests of one call or walk at one destination, that of its first request: a token function may return a
 * key of another environment at any time.
 */
export class DestinationLock {
  #current: Destination | undefined;
  readonly #check: DestinationCheck | undefined;

  /** @param check is called with the destination of the first request, before that is sent */
  constructor(check?: DestinationCheck) {
    this.#check = check;
  }

  /** The destination of the first request; undefined before it. */
  get current(): Destination | undefined {
    return this.#current;
  }

  /** Checks the destination of a request before it is sent. */
  enter(destination: Destination, label: string): void {
    const current = this.#current;
    if (current === destination) return;
    if (current === undefined) {
      this.#check?.(destination);
      this.#current = destination;
    } else if (serializeDestination(current) !== serializeDestination(destination)) {
      const [before, now] = [describe(current), describe(destination)];
      throw new ConfigurationError(
        `${label}: not sent: the call began with a key of ${before}, and the current key is one of ${now}`,
      );
    }
  }
}

/** Returns a text that is equal for equal destinations. */
export function serializeDestination({ baseUrl, environment = "" }: Destination): string {
  return `${environment} ${baseUrl}`;
}

function describe({ baseUrl, environment }: Destination): string {
  return environment === undefined ? baseUrl : `the ${environment} environment (${baseUrl})`;
}
