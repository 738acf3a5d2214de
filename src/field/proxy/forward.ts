import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { describeConnectionFailure } from "../sender/connection.ts";
import { BodyCopy } from "./copy.ts";
import { copyStream } from "./copy-stream.ts";
import { endToEnd, pairsOf, trailersOf } from "./headers.ts";
import type { Located } from "./services.ts";
import type { Upstream } from "./upstream.ts";

/** A forwarded request and its result. */
export interface ForwardedExchange {
  readonly located: Located;
  readonly request: IncomingMessage;
  readonly requestBody: BodyCopy;
  /** `undefined` where no response came. */
  readonly response: IncomingMessage | undefined;
  readonly responseBody: BodyCopy;
  /** Milliseconds since the head of the request was read. */
  readonly milliseconds: number;
  /** The reason that there is no complete response. */
  readonly failure: string | undefined;
}

/** Methods that are sent again if an idle connection was already closed. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The number of bytes of interim responses that wait for a client. */
const MAX_UNREAD = 65_536;

/**
 * Forwards one request and streams its response back, both unchanged; calls `done` once. This is Node's own HTTP
 * client, because undici refuses `Expect`, and http-proxy-3 passes neither 1xx responses nor trailers.
 */
export class Forwarding {
  readonly #upstream: Upstream;
  readonly #located: Located;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #done: (forwarded: ForwardedExchange) => void;
  readonly #startTime = performance.now();
  readonly #requestBody = new BodyCopy();
  readonly #responseBody = new BodyCopy();
  #response: IncomingMessage | undefined;
  #request: ClientRequest | undefined;
  #isDone = false;

  constructor(
    upstream: Upstream,
    located: Located,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    done: (forwarded: ForwardedExchange) => void,
  ) {
    this.#upstream = upstream;
    this.#located = located;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#done = done;
  }

  start(): void {
    this.#incoming.on("end", () => {
      this.#requestBody.isWhole = true;
    });
    // the client has disconnected before the response was complete
    this.#outgoing.on("close", () => {
      if (this.#outgoing.writableFinished) return;
      this.#request?.destroy();
      this.#finish("the client closed the connection");
    });
    this.#send(true);
  }

  #send(canRepeat: boolean): void {
    this.#attempt(() => this.#open(canRepeat));
  }

  #open(canRepeat: boolean): void {
    const request = this.#upstream.open(this.#incoming, this.#located);
    this.#request = request;
    request.on("information", (info) => this.#forwardInformation(info.statusCode, info.rawHeaders));
    request.on("response", (response) => this.#attempt(() => this.#forwardResponse(response)));
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      this.#fail(new Error("the service switched to another protocol"));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // bytes behind a response without a body are an error of Node's, but the response is whole
      if (this.#isDone || request !== this.#request || this.#response?.complete === true) return;
      const isStale = request.reusedSocket && error.code === "ECONNRESET" && this.#response === undefined;
      const canSendAgain = canRepeat && isStale && REPEATABLE.has(this.#incoming.method ?? "");
      if (canSendAgain && this.#requestBody.size === 0) this.#send(false);
      else this.#fail(error);
    });
    this.#forwardRequest(request);
  }

  /** Runs a step. A message that Node cannot forward becomes the failure of this exchange. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#request?.destroy();
      this.#fail(error as NodeJS.ErrnoException); // Node throws only errors
    }
  }

  #forwardRequest(request: ClientRequest): void {
    const incoming = this.#incoming;
    if (incoming.readableEnded) {
      request.end();
      return;
    }
    copyStream(incoming, request, (bytes) => this.#requestBody.add(bytes));
    incoming.on("end", () => {
      if (incoming.rawTrailers.length > 0) request.addTrailers(trailersOf(incoming.rawTrailers));
      request.end();
    });
  }

  /**
   * Forwards the rest of a request whose response has already ended. Node then reports no more that its connection can take
   * further bytes: at the first bytes that would have to wait, the connection to the service is closed and the rest is dropped.
   */
  #forwardUnread(): void {
    const [incoming, request] = [this.#incoming, this.#request];
    if (incoming.readableEnded || request === undefined) return;
    incoming.removeAllListeners("readable");
    incoming.on("data", (bytes: Buffer) => {
      if (request.writableNeedDrain) request.destroy();
      else if (!request.destroyed) request.write(bytes);
    });
  }

  /** Forwards an interim response; drops it if the client does not read the earlier ones. */
  #forwardInformation(status: number, rawHeaders: string[]): void {
    if ((this.#outgoing.socket?.writableLength ?? 0) > MAX_UNREAD) return;
    if (status === 100) this.#outgoing.writeContinue();
    if (status === 102) this.#outgoing.writeProcessing();
    if (status !== 103) return;
    const hints: Record<string, string | string[]> = {};
    for (const [name, value] of pairsOf(endToEnd(rawHeaders))) {
      const before = hints[name.toLowerCase()];
      hints[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
    }
    if (hints["link"] === undefined) return;
    try {
      this.#outgoing.writeEarlyHints(hints);
    } catch {
      // Node refuses this link; the response itself follows
    }
  }

  #forwardResponse(response: IncomingMessage): void {
    this.#response = response;
    const outgoing = this.#outgoing;
    outgoing.sendDate = false;
    const { statusCode = 502, statusMessage = "", rawHeaders } = response;
    const isChunked = response.headers["transfer-encoding"] !== undefined && this.#canSendChunks(statusCode);
    outgoing.writeHead(
      statusCode,
      statusMessage.replaceAll(NOT_IN_REASON, ""),
      // Node chooses the framing of the body, and refuses to announce trailers without chunks
      endToEnd(rawHeaders, "transfer-encoding", ...(isChunked ? [] : ["trailer"])),
    );
    outgoing.write(Buffer.alloc(0)); // sends the header byte by byte; `flushHeaders` encodes it as UTF-8
    copyStream(response, outgoing, (bytes) => this.#responseBody.add(bytes));
    response.on("end", () => {
      this.#responseBody.isWhole = true;
      if (response.rawTrailers.length > 0) outgoing.addTrailers(trailersOf(response.rawTrailers));
      this.#forwardUnread();
      outgoing.end(() => this.#finish(undefined));
    });
    response.on("error", (error) => this.#fail(error));
    response.on("close", () => {
      if (!response.complete) this.#fail(new Error("the service closed the connection"));
    });
  }

  /** Whether the response to this request may have a body in chunks. */
  #canSendChunks(status: number): boolean {
    const { method, httpVersion } = this.#incoming;
    return method !== "HEAD" && httpVersion !== "1.0" && status !== 204 && status !== 304;
  }

  /**
   * Sends 502 with the reason. A response that has begun is cut off, so that the client notices that it is
   * incomplete.
   */
  #fail(error: NodeJS.ErrnoException): void {
    if (this.#isDone) return;
    const reason = describeConnectionFailure(error);
    const outgoing = this.#outgoing;
    if (outgoing.headersSent) {
      // a response that waits for an earlier one has no socket
      this.#incoming.socket.resetAndDestroy();
    } else {
      this.#incoming.removeAllListeners("readable");
      this.#incoming.resume();
      outgoing.writeHead(502, "Bad Gateway", {
        "content-type": "text/plain; charset=utf-8",
        connection: "close",
      });
      outgoing.end(`shelfleet proxy: no response from ${this.#located.service.url.origin}: ${reason}\n`);
    }
    this.#finish(reason);
  }

  #finish(failure: string | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done({
      located: this.#located,
      request: this.#incoming,
      requestBody: this.#requestBody,
      response: this.#response,
      responseBody: this.#responseBody,
      milliseconds: performance.now() - this.#startTime,
      failure,
    });
  }
}

/** Characters that the reason of a status must not contain. */
const NOT_IN_REASON = /[^\t\x20-\x7e\x80-\xff]/g;
