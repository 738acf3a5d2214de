import { fileURLToPath } from "node:url";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";
import { type ServedReference, serve } from "../../src/mock/node.ts";
import type { RequestCase } from "../operations/request-cases.ts";
import { bodyText, targetOf } from "../operations/contract-cases.ts";
import { type ApiOperation, operationsOf } from "../operations/operations.ts";
import { Prism } from "./prism.ts";

/** A response that came through Prism. */
export interface CheckedResponse {
  status: number;
  text: string;
  /** The violations that Prism reports; empty if there are none. */
  violations: string;
}

/** The time in ms after which a response is given up. It only ends what hangs. */
const RESPONSE_TIMEOUT = 60_000;

/*
 * Requests that are not tested, because Prism cannot judge their responses: faults, which violate the document on
 * purpose; requests without a bearer token or with an unknown path, to which Prism itself responds; bodies that are
 * not JSON, on which Prism hangs; and the 404, 405 and 413 with the header for undocumented responses.
 */

/** A reference server over HTTP with Prism in front. The server may be another one for each test. */
export class PrismProxy {
  readonly operations: readonly ApiOperation[];
  /** `operation status` of every response, with the number of times that it was seen. */
  readonly seen = new Map<string, number>();
  readonly #api: "store" | "fleet";
  readonly #prism: Prism;
  #url = "";
  #ref: ReferenceServer | undefined;
  #served: ServedReference | undefined;

  constructor(api: "store" | "fleet") {
    this.operations = operationsOf(api);
    this.#api = api;
    this.#prism = new Prism(fileURLToPath(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url)));
  }

  async close(): Promise<void> {
    await this.#served?.close();
    await this.#prism.stop();
  }

  get ref(): ReferenceServer {
    if (this.#ref === undefined) throw new Error("no server yet: say under()");
    return this.#ref;
  }

  /** Puts another server behind Prism. */
  async start(options: ReferenceServerOptions): Promise<ReferenceServer> {
    await this.#served?.close();
    this.#ref = createReferenceServer(options);
    this.#served = await serve(this.#ref);
    this.#url = await this.#prism.inFrontOf(
      this.#api === "store" ? this.#served.storeUrl : this.#served.fleetUrl,
    );
    return this.#ref;
  }

  /** Sends a request through Prism. Throws if Prism reports a violation or if the document lacks the status. */
  async send(operation: ApiOperation, requestCase: RequestCase): Promise<CheckedResponse> {
    const checkedResponse = await this.check(operation, requestCase);
    const { status, text, violations } = checkedResponse;
    if (violations !== "" || !operation.statuses.includes(status)) {
      const request = `${operation.id} ${JSON.stringify(requestCase).slice(0, 200)}`;
      throw new Error(
        `${request}: ${status} ${violations || "is not a documented status"}: ${text.slice(0, 600)}`,
      );
    }
    const pair = `${operation.id} ${status}`;
    this.seen.set(pair, (this.seen.get(pair) ?? 0) + 1);
    return checkedResponse;
  }

  async check(operation: ApiOperation, requestCase: RequestCase): Promise<CheckedResponse> {
    const { version, secret } = requestCase;
    const text = bodyText(requestCase);
    const response = await fetch(`${this.#url}${targetOf(operation, requestCase)}`, {
      method: operation.method,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT),
      headers: {
        authorization: `Bearer ${secret ?? this.#secret()}`,
        ...(text !== undefined && { "content-type": "application/json" }),
        ...(version !== undefined && { "x-service-api-version": version }),
      },
      ...(text !== undefined && { body: text }),
    });
    return toCheckedResponse(response.status, response.headers, await response.text());
  }

  #secret(): string | undefined {
    return this.#api === "store" ? this.ref.token : this.ref.keys[0]?.key;
  }
}

/**
 * Prism replaces the response by its errors, and adds its warnings in a header. A response by Prism itself is also a
 * problem.
 */
function toCheckedResponse(status: number, headers: Headers, text: string): CheckedResponse {
  const own = headers.get("content-type")?.startsWith("application/problem+json") === true;
  return { status, text, violations: own ? text : (headers.get("sl-violations") ?? "") };
}
