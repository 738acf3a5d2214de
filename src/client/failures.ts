/** The codes, and the messages where the code says less, of failures before the first byte of a request was sent. */
const transient =
  /^(?:ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT) |before secure TLS connection was established|Proxy response \(5/;

/** Those that would come again: no such host, a wrong certificate, a proxy that refuses, a request that cannot be sent. */
const permanent =
  /^(?:ENOTFOUND|UND_ERR_(?:CLOSED|DESTROYED|PRX_TLS|INVALID_ARG|NOT_SUPPORTED)|(?:ERR_SSL_|ERR_TLS_|EPROTO|HOSTNAME_|UNABLE_TO_|\S*CERT)\S*) |Proxy (?:response \(|Authentication)|bad port$/;

/** How many causes are followed. */
const maxCauses = 5;

/** A failure of a transport in words, without data of the request. */
export interface DescribedFailure {
  readonly message: string;
  readonly code: string | undefined;
  /** Whether no part of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** Whether the same request would fail in the same way. */
  readonly isPermanent: boolean;
}

/** Describes an error of `fetch` or of another transport by the innermost code and message of its causes. */
export function describeFailure(error: unknown): DescribedFailure {
  let code: string | undefined;
  let message = typeof error === "string" ? error : "";
  let current: unknown = error;
  for (let depth = 0; depth < maxCauses && typeof current === "object" && current !== null; depth += 1) {
    const { code: own, message: text, cause, errors } = current as FailureLike;
    if (typeof own === "string") code = own;
    if (typeof text === "string" && text !== "") message = text;
    // a host name with several addresses: the first attempt to connect says why
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  const text = `${code ?? ""} ${message}`;
  const isTransient = transient.test(text);
  const isPermanent = !isTransient && permanent.test(text);
  if (message === "") message = "the connection was lost";
  if (code !== undefined && !message.includes(code)) message += ` (${code})`;
  if (isPermanent) message += ": check the base URL, the certificates and the proxy";
  return { isUnsent: isTransient || isPermanent, isPermanent, code, message };
}

/** The properties of an error, of any realm, that are read. */
interface FailureLike {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
}
