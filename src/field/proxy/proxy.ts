import {
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  createServer,
} from "node:http";
import { listenOn } from "../../wire/listen.ts";
import { secretsIn } from "../../wire/credentials.ts";
import { HostGuard, originOf } from "../../wire/host-guard.ts";
import { redactValue } from "../../wire/redact-json.ts";
import { Redactor } from "../../wire/redaction.ts";
import { ContractChecker } from "./check/check.ts";
import type { CheckedExchange } from "./check/exchange.ts";
import type { Finding } from "./check/finding.ts";
import { type ForwardedExchange, Forwarding } from "./forward.ts";
import { hasAmbiguousFraming } from "./headers.ts";
import type { LogFile } from "./log/log-file.ts";
import { type ProxySummary, Tally } from "./tally.ts";
import { type ServiceUrls, type MountedService, locate, mountServices } from "./services.ts";
import { HEAD_LIMIT, Upstream } from "./upstream.ts";

/** The options of a proxy: its services, its address and its callbacks. */
export interface ProxyOptions extends ServiceUrls {
  readonly port: number;
  readonly host: string;
  /** Further names that the header `Host` may have. */
  readonly allowHosts: readonly string[];
  readonly log?: LogFile | undefined;
  /** @internal Node's time limits of a request. */
  readonly timeLimits?: ServerOptions;
  /** Called for the first exchange with a finding. */
  readonly onFinding: (finding: Finding) => void;
}

/** The time limit of open exchanges after `close`, in milliseconds. */
const SHUTDOWN_TIMEOUT = 2_000;

/** The time limits of requests in milliseconds. The time of a response is not limited: its client decides how long to wait. */
const TIME_LIMITS = { headersTimeout: 60_000, requestTimeout: 300_000 };

/** The number of open connections of clients. */
const MAX_CONNECTIONS = 2_000;

/** Shorter values of a response's headers can be numbers or words, which would be redacted in bodies. */
const MIN_ISSUED_LENGTH = 8;

const WRONG_HOST = "The Host of this request is not an address of the proxy; see --allow-host";

const OTHER_SITE = "A page of another site cannot use the proxy; see --allow-host";

const AMBIGUOUS = "The end of the body of this request is ambiguous";

/** A proxy that checks the requests and responses that it forwards. */
export class Proxy {
  readonly services: readonly MountedService[];
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #upstream = new Upstream();
  readonly #checker = new ContractChecker();
  /** The secrets of the requests. */
  readonly #redactor = new Redactor();
  readonly #violations = new Tally();
  readonly #open = new Tally();
  /** The checks in progress. */
  readonly #pending = new Set<Promise<void>>();
  #exchanges = 0;
  #failures = 0;
  #unread = 0;

  /** @throws {ProxyOptionError} */
  constructor(options: ProxyOptions) {
    this.#options = options;
    this.services = mountServices(options);
    const hosts = new HostGuard(options.host, options.allowHosts);
    this.#server = createServer({
      maxHeaderSize: HEAD_LIMIT,
      highWaterMark: 16_384,
      ...TIME_LIMITS,
      ...options.timeLimits,
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.maxHeadersCount = 0;
    const accept = (request: IncomingMessage, response: ServerResponse): void => {
      if (!hosts.allows(request.headers.host)) respond(request, response, 421, WRONG_HOST);
      else if (!hosts.allowsPage(request.headers)) respond(request, response, 403, OTHER_SITE);
      else if (hasAmbiguousFraming(request)) respond(request, response, 400, AMBIGUOUS);
      else this.#forward(request, response);
    };
    this.#server.on("request", accept);
    // the service decides whether the client sends the body
    this.#server.on("checkContinue", accept);
  }

  /** Resolves with the origin. */
  async listen(): Promise<string> {
    const { port, host } = this.#options;
    return originOf(host, await listenOn(this.#server, port, host));
  }

  /** Finishes open exchanges, aborts those that take too long, and resolves when every exchange is checked. */
  async close(): Promise<ProxySummary> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#server.closeAllConnections(), SHUTDOWN_TIMEOUT);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#upstream.close();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    return this.summary();
  }

  summary(): ProxySummary {
    return {
      exchanges: this.#exchanges,
      failures: this.#failures,
      unread: this.#unread,
      violations: this.#violations.all(),
      open: this.#open.all(),
      uncounted: this.#violations.uncounted + this.#open.uncounted,
    };
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const located = locate(this.services, request.url ?? "");
    if (located === undefined) {
      respond(request, response, 404, "No service has this path");
      return;
    }
    for (const secret of secretsIn(request.headersDistinct)) this.#redactor.add(secret);
    const forwarding = new Forwarding(this.#upstream, located, request, response, (forwarded) => {
      const check = this.#check(forwarded)
        // a failed check must not interrupt the traffic of the program
        .catch(() => {
          this.#unread += 1;
        })
        .finally(() => this.#pending.delete(check));
      this.#pending.add(check);
    });
    forwarding.start();
  }

  async #check(forwarded: ForwardedExchange): Promise<void> {
    this.#exchanges += 1;
    if (forwarded.failure !== undefined || forwarded.response === undefined) {
      this.#failures += 1;
      return;
    }
    const { request, response } = forwarded;
    const issued = secretsIn(response.headersDistinct).filter(({ length }) => length >= MIN_ISSUED_LENGTH);
    // those of the request last, so that the others cannot replace them
    for (const secret of [...issued, ...secretsIn(request.headersDistinct)]) this.#redactor.add(secret);
    const exchange = await exchangeOf(forwarded, forwarded.response);
    if (exchange.requestBody.kind === "unread" || exchange.responseBody.kind === "unread") this.#unread += 1;
    const { operation, findings } = this.#checker.check(exchange);
    for (const found of findings) {
      const finding = redactValue(found, this.#redactor) as Finding; // only strings can change
      const tally = finding.gap === undefined ? this.#violations : this.#open;
      if (tally.add(finding)) this.#options.onFinding(finding);
    }
    const { name, url } = forwarded.located.service;
    const logged = {
      ...exchange,
      service: name,
      baseUrl: url.href,
      operation,
      contentType: exchange.responseHeaders["content-type"] ?? "",
      body: exchange.responseBody,
      milliseconds: forwarded.milliseconds,
      violations: findings.filter(({ gap }) => gap === undefined).map(({ id }) => id),
    };
    this.#options.log?.add(logged, this.#redactor);
  }
}

async function exchangeOf(
  { located, request, requestBody, responseBody }: ForwardedExchange,
  response: IncomingMessage,
): Promise<CheckedExchange> {
  const requestHeaders = textHeaders(request);
  const responseHeaders = textHeaders(response);
  return {
    api: located.service.api,
    method: request.method ?? "",
    path: located.path,
    query: located.query,
    requestHeaders,
    requestBody: await requestBody.decode(requestHeaders["content-encoding"]),
    status: response.statusCode ?? 0,
    responseHeaders,
    responseBody: await responseBody.decode(responseHeaders["content-encoding"]),
  };
}

function textHeaders({ headers }: IncomingMessage): Record<string, string | undefined> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string | undefined>; // pairs of strings
}

/** Responds without the service. The rest of the request is not read, so the connection is closed. */
function respond(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  request.resume();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`shelfleet proxy: ${text}\n`);
}
