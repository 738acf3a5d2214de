import { findRoute } from "../routes.ts";
import { type ComparedResponse, type Difference, differences } from "./difference.ts";
import type { Service, ServiceRequest } from "./service.ts";
import { lineOf } from "../sender/sender.ts";

/** The responses of both sides to one request. */
export interface Pair {
  readonly service: ComparedResponse;
  readonly mock: ComparedResponse;
}

/** The number of differences that are kept; a service with more has other data, or another form in each response. */
export const MAX_DIFFERENCES = 1_000;

/** The number of characters of each text of a difference. */
const MAX_LENGTH = 500;

/** Names, cursors and IDs of a service may have any length. */
function cut(text: string): string {
  return text.slice(0, MAX_LENGTH);
}

function shorten({ place, service, mock, request, ...difference }: Difference): Difference {
  return {
    ...difference,
    place: cut(place),
    service: cut(service),
    mock: cut(mock),
    request: cut(request),
  };
}

/** Sends each request to the service and to the mock, and collects the differences of the responses. */
export class Session {
  readonly #service: Service;
  readonly #mock: Service;
  readonly #found = new Map<string, Difference>();
  readonly #counts = new Map<string, number>();
  /** The properties that the mock has because its rows were read from details. */
  ignored: ReadonlySet<string> = new Set();
  requests = 0;
  /** The paths that got a status in place of data, each with this status. */
  readonly failed = new Set<string>();
  /** Whether there are more differences than are kept. */
  isCut = false;

  constructor(service: Service, mock: Service) {
    this.#service = service;
    this.#mock = mock;
  }

  /** Sends a request to both sides. */
  async send(request: ServiceRequest): Promise<Pair> {
    return this.sendEach(request, request);
  }

  /** Sends corresponding requests, for example with each side's own cursor. */
  async sendEach(serviceSide: ServiceRequest, mockSide: ServiceRequest): Promise<Pair> {
    this.requests += 1;
    const service = await this.#service.send(serviceSide);
    const mock = await this.#mock.send(mockSide);
    const { api, path } = serviceSide;
    // neither shows the reading of the service
    if (service.status === 429 || service.status >= 500) {
      if (service.status !== mock.status) this.failed.add(`${path}: status ${service.status}`);
      return { service, mock };
    }
    const operation = findRoute(api, "GET", path).operation ?? path;
    for (const found of differences(service, mock, this.ignored)) {
      const difference = shorten({ operation, ...found, request: lineOf({ method: "GET", ...serviceSide }) });
      const key = [operation, found.aspect, difference.place, difference.service, difference.mock].join("\n");
      if (!this.#found.has(key) && this.#found.size === MAX_DIFFERENCES) {
        this.isCut = true;
        break;
      }
      if (!this.#found.has(key)) this.#found.set(key, difference);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    return { service, mock };
  }

  /** Returns each difference once, with the number of its requests. */
  differences(): (Difference & { readonly count: number })[] {
    return [...this.#found].map(([key, difference]) => ({
      ...difference,
      count: this.#counts.get(key) ?? 1,
    }));
  }
}
