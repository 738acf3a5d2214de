import type { ResponseKind } from "../../wire/operation.ts";
import { type RequestSpec, lineOf } from "../sender/sender.ts";
import { type Exchange, isOk, rowsOf } from "./exchange.ts";
import { type OperationId, operations } from "../routes.ts";

/** A response on a path, without its body. */
interface Seen {
  readonly spec: RequestSpec;
  readonly line: string;
  readonly print: string;
  readonly isOk: boolean;
}

/**
 * Statuses of the store API that tell why: 400, 401 and 404 are about the request (store 7), 413 about its size, and 429 is a
 * limit itself. Any other one may come from a quota.
 */
const EXPLAINED_STATUSES: ReadonlySet<number> = new Set([400, 401, 404, 413, 429]);

/**
 * Checks, with further requests, that responses follow from their requests: that no quota refuses what the service
 * permits, and that no cache ignores the query.
 */
export class ResponseChecks {
  readonly #send: (spec: RequestSpec) => Promise<Exchange>;
  /** Whether each refusal and each path is checked. Before, one check for each service is enough. */
  isThorough = false;
  /** The last GET that succeeded, which is sent again after a refusal. */
  #permitted: RequestSpec | undefined;
  readonly #refused = new Set<string>();
  readonly #seen = new Map<string, Seen[]>();
  readonly #sensitive = new Set<string>();
  /** The path whose responses do not depend on the query, although they must. */
  ignoredQuery: string | undefined;

  constructor(send: (spec: RequestSpec) => Promise<Exchange>) {
    this.#send = send;
  }

  /** Whether a response says something about its request. */
  async isGenuine(exchange: Exchange): Promise<boolean> {
    if (!exchange.isEvidence) return false;
    if (isRefusal(exchange)) return this.#isLasting(exchange);
    if (exchange.method !== "GET") return true;
    const isGenuine = await this.#dependsOnQuery(exchange);
    if (isOk(exchange)) this.#permitted = specOf(exchange);
    return isGenuine;
  }

  /** Lets each refusal be checked again. */
  forget(): void {
    this.#refused.clear();
  }

  /** A quota refuses other requests too, or only for a while: what was permitted still is, and the refusal is repeated. */
  async #isLasting(exchange: Exchange): Promise<boolean> {
    // a write is not repeated
    if (exchange.method !== "GET" && exchange.status === 403) return false;
    // the keys with few scopes have many refusals
    if (exchange.api === "fleet" && !this.isThorough) return true;
    const key = `${exchange.method} ${exchange.path} ${exchange.status}`;
    if (this.#refused.has(key)) return true;
    // a key may lack every scope that it was used for
    if (this.#permitted === undefined && exchange.api === "store") return false;
    if (this.#permitted !== undefined && !isOk(await this.#send(this.#permitted))) return false;
    if (exchange.method === "GET") {
      const again = await this.#send(specOf(exchange));
      if (again.status !== exchange.status) return false;
    }
    this.#refused.add(key);
    return true;
  }

  /** Equal responses to two queries are followed, once for a path, by a query whose response must be different. */
  async #dependsOnQuery(exchange: Exchange): Promise<boolean> {
    const { path } = exchange;
    const seen = this.#seen.get(path) ?? [];
    const own = {
      spec: specOf(exchange),
      line: lineOf(exchange),
      print: printOf(exchange),
      isOk: isOk(exchange),
    };
    const isOther = ({ line, spec }: Seen): boolean =>
      line !== own.line && (own.isOk || spec.version === own.spec.version);
    const isRepeated = seen.some((response) => isOther(response) && response.print === own.print);
    this.#seen.set(path, [...seen.filter((past) => isOther(past) || past.line !== own.line), own]);
    const isChecked = this.isThorough ? this.#sensitive.has(path) : this.#sensitive.size > 0;
    if (!isRepeated || isChecked) return true;
    const spec = differingRequest(exchange, seen);
    // other experiments also send what shows it for a list
    if (spec === undefined || (!this.isThorough && !isList(exchange))) return true;
    this.#sensitive.add(path);
    const other = await this.#send(spec);
    if (printOf(other) !== own.print) return true;
    if (own.isOk) this.ignoredQuery = path;
    return false;
  }
}

/** Whether a response refuses a request with a status that a quota may also have. */
export function isRefusal({ api, status }: Exchange): boolean {
  return api === "store" ? status >= 400 && !EXPLAINED_STATUSES.has(status) : status === 403;
}

export function responseKindOf(operation: OperationId | undefined): ResponseKind | undefined {
  return operation && operations[operation].response;
}

function specOf({ method, path, query, version }: Exchange): RequestSpec {
  return { method, path, query, version: version ?? null };
}

function printOf({ status, size, text }: Exchange): string {
  return `${status} ${size} ${text}`;
}

function isList({ operation }: Exchange): boolean {
  return operation !== undefined && operations[operation].list !== undefined;
}

/** Returns a request whose response differs, under every reading, from a response that two queries got. */
function differingRequest(exchange: Exchange, seen: readonly Seen[]): RequestSpec | undefined {
  if (!isOk(exchange)) return seen.find((response) => response.isOk)?.spec;
  const { query: rules = {}, list } = (exchange.operation && operations[exchange.operation]) ?? {};
  const spec = specOf(exchange);
  if (Object.values(rules).some(({ required }) => required === true)) return { ...spec, query: {} };
  const isLimited = list?.isDocumented === true && rowsOf(exchange).length > 1;
  // with the usual version, so that other experiments can use the response
  return isLimited ? { method: spec.method, path: spec.path, query: { limit: "1" } } : undefined;
}
