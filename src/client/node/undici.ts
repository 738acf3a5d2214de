// The parts of undici 7 and 8 that this package uses. Their own types differ, and undici is optional.

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface DispatchController {
  abort(reason: unknown): void;
  pause(): void;
  resume(): void;
}

export interface DispatchOptions {
  origin: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
  headersTimeout: number;
  bodyTimeout: number;
}

/** The callbacks of undici for a request in flight. */
export interface DispatchHandler {
  onRequestStart(controller: DispatchController): void;
  onResponseStart(controller: DispatchController, status: number, headers: ResponseHeaders): void;
  onResponseData(controller: DispatchController, chunk: Uint8Array): void;
  onResponseEnd(): void;
  onResponseError(controller: DispatchController | null, error: unknown): void;
}

/** Any dispatcher of undici 7 or 8: `Agent`, `Pool`, `ProxyAgent`, `EnvHttpProxyAgent`, `MockAgent`. */
export interface UndiciDispatcher {
  /** Sends one request. */
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
  /** Resolves when every request has ended. */
  close(): Promise<void>;
}
