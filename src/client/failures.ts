/** What a failed connection says about the request. */
interface Failure {
  /** Whether no part of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** Whether the same request would fail in the same way. */
  readonly isPermanent: boolean;
  /** What to do. */
  readonly advice?: string;
}

const unknown: Failure = { isUnsent: false, isPermanent: false };
const refused: Failure = { isUnsent: true, isPermanent: false };
const permanent = (advice: string): Failure => ({ isUnsent: true, isPermanent: true, advice });

/**
 * The failures before the first byte of a request was sent, of `fetch` and undici: by the codes of Node, OpenSSL, undici and
 * Bun, and by the messages of failures whose code says less. The first one that fits counts.
 */
const failures: readonly (readonly [what: RegExp, failure: Failure])[] = [
  [
    /^(?:ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT) /,
    refused,
  ],
  [/before secure TLS connection was established|Proxy response \(5/, refused],
  [/^ENOTFOUND /, permanent("no host has this name: check the base URL")],
  [/^UND_ERR_(?:CLOSED|DESTROYED) /, permanent("the transport is closed")],
  [/Proxy response \(|Proxy Authentication|^UND_ERR_PRX_TLS /, permanent("the proxy refused the connection")],
  [/^UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED) |bad port$/, permanent("such a request cannot be sent")],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH) /,
    permanent("the certificate is for another host: check the base URL"),
  ],
  [
    /^(?:ERR_SSL_|ERR_TLS_|EPROTO|CERT_|DEPTH_ZERO_SELF_SIGNED_|SELF_SIGNED_CERT_|UNABLE_TO_|UNKNOWN_CERTIFICATE_)/,
    permanent(
      "the TLS handshake failed: check the base URL, or pass the authority of the certificate to the platform or transport",
    ),
  ],
];

/** How many causes are followed. */
const maxCauses = 5;

/** A failure of a transport in words, without data of the request. */
export interface DescribedFailure extends Failure {
  readonly message: string;
  readonly code: string | undefined;
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
  const named = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  const shown = named === "" ? "the connection was lost" : named;
  const failure = failures.find(([what]) => what.test(`${code ?? ""} ${message}`))?.[1] ?? unknown;
  const { advice } = failure;
  return { ...failure, code, message: advice === undefined ? shown : `${shown}: ${advice}` };
}

/** The properties of an error, of any realm, that are read. */
interface FailureLike {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
}
