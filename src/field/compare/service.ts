import { redactorOf } from "../../wire/redaction.ts";
import { Budget, systemTiming } from "../sender/budget.ts";
import { NoEvidence, NoResponse } from "../sender/failures.ts";
import { type Query, type ReceivedResponse, Sender, type SenderOptions } from "../sender/sender.ts";

/** A GET below one of the base URLs. */
export interface ServiceRequest {
  readonly api: "store" | "fleet";
  /** The path, percent-encoded. */
  readonly path: string;
  readonly query?: Query;
  /** The header `X-Service-API-Version`; `null` leaves it out. */
  readonly version?: string | null;
}

/** A service cannot be reached, or rejects the credentials. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
}

/** The base URLs of the two APIs, and their secrets. */
export interface Access {
  readonly storeUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly fleetUrl?: string | undefined;
  readonly key?: string | undefined;
}

/** The limits of requests. */
export interface SendOptions extends Pick<SenderOptions, "fetch"> {
  /** Requests per second. */
  readonly rate: number;
  /** The largest number of requests. */
  readonly maxRequests: number;
}

/** A service over HTTP. */
export class Service {
  readonly #access: Access;
  readonly #sender: Sender;
  readonly #budget: Budget;

  constructor(access: Access, { fetch, rate, maxRequests }: SendOptions) {
    const { signal } = new AbortController();
    const secrets = [access.token, access.key].filter((secret) => secret !== undefined);
    this.#access = access;
    this.#budget = new Budget(maxRequests, rate, systemTiming, signal);
    // one failing operation does not end a comparison
    this.#budget.limits = { ...this.#budget.limits, failures: Infinity };
    this.#sender = new Sender({
      fetch,
      signal,
      budget: this.#budget,
      timing: systemTiming,
      redactor: redactorOf(secrets),
    });
  }

  /** The number of requests. */
  get sent(): number {
    return this.#budget.total;
  }

  /** The reason that no further request may be sent. */
  get ended(): string {
    return this.#budget.ended === "limited" ? "it limits the rate of requests" : "see maxRequests";
  }

  /**
   * @throws {ServiceError} if there was no response
   * @throws {RunEnded} if no further request may be sent
   */
  async send({ api, ...request }: ServiceRequest): Promise<ReceivedResponse> {
    const { storeUrl = "", token = "", fleetUrl = "", key = "" } = this.#access;
    const [base, secret] = api === "store" ? [storeUrl, token] : [fleetUrl, key];
    const target = { api, as: api, base, secret };
    try {
      return await this.#sender.send(target, { method: "GET", ...request });
    } catch (error) {
      if (!(error instanceof NoEvidence)) throw error;
      const reason = error instanceof NoResponse ? `: ${error.reason}` : "";
      throw new ServiceError(`${error.message} from ${new URL(base).origin}${reason}`);
    }
  }
}
