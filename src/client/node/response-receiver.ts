import { ByteCollector } from "../../wire/byte-collector.ts";
import type { TransportResponse } from "../core/transport/transport.ts";
import { type Body, BodyReader } from "./body-reader.ts";
import { encodingsOf } from "./decoding.ts";
import { toFailure } from "./failure.ts";
import type { DispatchController, DispatchHandler, ResponseHeaders } from "./undici.ts";

/** The number of bytes of a body that wait for `read` before the connection is paused. */
const maxWaiting = 64 * 1024;

/** One request sent with undici, and its response. */
export class ResponseReceiver implements DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: unknown) => void;
  /** Undefined until a connection takes the request. */
  #controller: DispatchController | undefined;
  #encodings: string[] = [];
  /** The bytes that arrived before `read` was called. */
  readonly #waiting = new ByteCollector();
  #reader: BodyReader | undefined;
  #isRead = false;
  /** Whether the last byte has arrived. */
  #ended = false;
  #failed: { error: unknown } | undefined;

  readonly #onAbort = (): void => {
    this.#fail(this.#signal.reason);
    this.#controller?.abort(this.#signal.reason);
  };

  constructor(
    signal: AbortSignal,
    resolve: (response: TransportResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener("abort", this.#onAbort);
  }

  onRequestStart(controller: DispatchController): void {
    this.#controller = controller;
    // aborted while it waited for a connection
    if (this.#failed !== undefined) this.#disconnect();
  }

  onResponseStart(_controller: DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200 || this.#failed !== undefined) return;
    this.#encodings = encodingsOf(headers["content-encoding"]);
    // undici 7 rejects a request with a length here
    if (status === 204 || status === 304) this.onResponseEnd();
    this.#resolve(new UndiciResponse(status, headers, (limit) => this.#read(limit)));
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    if (this.#failed !== undefined) return;
    if (this.#reader !== undefined) {
      if (!this.#reader.write(chunk)) controller.pause();
      return;
    }
    this.#waiting.add(chunk);
    if (this.#waiting.size >= maxWaiting) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#failed !== undefined) return;
    this.#ended = true;
    if (this.#reader === undefined) this.#unlisten();
    else this.#reader.end();
  }

  onResponseError(_controller: DispatchController | null, error: unknown): void {
    if (this.#ended) return;
    this.#fail(toFailure(error));
    this.#disconnect(); // a rejected proxy authentication leaves the connection open
  }

  async #read(limit: number): Promise<Body> {
    if (this.#isRead) throw new Error("the body of a response can be read only once");
    this.#isRead = true;
    if (this.#failed !== undefined) throw this.#failed.error;
    if (limit === 0) return this.#skip();
    const isReceived = this.#ended && this.#encodings.length === 0;
    if (isReceived && this.#waiting.size <= limit) return { bytes: this.#waiting.take(), complete: true };
    try {
      // a compressed body is decoded after its last byte has arrived
      this.#signal.addEventListener("abort", this.#onAbort);
      const body = await new Promise<Body>((resolve, reject) => {
        const source = { resume: () => this.#controller?.resume() };
        this.#reader = new BodyReader({ limit, encodings: this.#encodings, source }, resolve, reject);
        this.#flow(this.#reader);
      });
      if (!body.complete) this.#disconnect();
      return body;
    } catch (error) {
      this.#disconnect();
      throw error;
    } finally {
      this.#unlisten();
    }
  }

  /** Closes the connection without a wait for the body, unless it has ended. */
  #skip(): Body {
    const complete = this.#ended && this.#waiting.size === 0;
    this.#unlisten();
    this.#waiting.take();
    if (!this.#ended) this.#disconnect();
    return { bytes: new Uint8Array(), complete };
  }

  /** Passes the received bytes on and resumes the connection. */
  #flow(reader: BodyReader): void {
    if (this.#waiting.size > 0) reader.write(this.#waiting.take());
    if (this.#ended) reader.end();
    else this.#controller?.resume();
  }

  #fail(error: unknown): void {
    if (this.#failed !== undefined) return;
    this.#failed = { error };
    this.#waiting.take();
    this.#unlisten();
    this.#reject(error);
    this.#reader?.fail(error);
  }

  /** Closes the connection, or the stream of an HTTP/2 connection. Does nothing after the end of the response. */
  #disconnect(): void {
    this.#controller?.abort(new Error("the request was aborted"));
  }

  #unlisten(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

class UndiciResponse implements TransportResponse {
  readonly status: number;
  readonly read: TransportResponse["read"];
  readonly #received: ResponseHeaders;
  #headers: Headers | undefined;

  constructor(status: number, headers: ResponseHeaders, read: TransportResponse["read"]) {
    this.status = status;
    this.read = read;
    this.#received = headers;
  }

  get headers(): Headers {
    this.#headers ??= toHeaders(this.#received);
    return this.#headers;
  }
}

function toHeaders(received: ResponseHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || name.startsWith(":")) continue; // HTTP/2 has its own pseudo-headers with this prefix
    for (const text of Array.isArray(value) ? value : [value]) headers.append(name, text);
  }
  return headers;
}
