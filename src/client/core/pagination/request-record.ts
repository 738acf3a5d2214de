import type { ResponseContent } from "../request/content.ts";
import { type DestinationCheck, DestinationLock } from "../request/destination.ts";

/** Sends the requests of a walk. */
export interface RequestSender {
  /** Sends a request. Equal requests have the same key. */
  send(key: string, send: () => Promise<ResponseContent>): Promise<ResponseContent>;
  /** Returns the destination of the walk. */
  lockDestination(check: DestinationCheck | undefined): DestinationLock;
}

/** A request and its response. */
interface RecordedRequest {
  readonly key: string;
  readonly response: Promise<ResponseContent>;
}

/** Records the requests of a list's first page, so that another walk can begin with the same responses. */
export class RequestRecord implements RequestSender {
  readonly #requests: RecordedRequest[] = [];
  #destination: DestinationLock | undefined;
  #isOpen = true;

  lockDestination(check: DestinationCheck | undefined): DestinationLock {
    this.#destination ??= new DestinationLock(check);
    return this.#destination;
  }

  send(key: string, send: () => Promise<ResponseContent>): Promise<ResponseContent> {
    const response = send();
    if (this.#isOpen) this.#requests.push({ key, response });
    return response;
  }

  /** Ends the recording: further requests are not those of the first page. */
  close(): void {
    this.#isOpen = false;
  }

  /** Returns a sender that uses each recorded response once, and sends all other requests. */
  replay(): RequestSender {
    const requests = this.#requests;
    return {
      lockDestination: (check) => this.lockDestination(check),
      send(key, send) {
        const index = requests.findIndex((request) => request.key === key);
        const [recorded] = index < 0 ? [] : requests.splice(index, 1);
        return recorded === undefined ? send() : recorded.response;
      },
    };
  }
}
