/** What the code of a failed connection says about the request. */
interface Failure {
  /** Whether no part of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** Whether the same request would fail in the same way. */
  readonly isPermanent: boolean;
  /** What to do. */
  readonly advice?: string;
}

const refused: Failure = { isUnsent: true, isPermanent: false };
const untrusted: Failure = {
  isUnsent: true,
  isPermanent: true,
  advice: "the certificate of the server is not trusted: pass its authority to the platform or the transport",
};
const unknown: Failure = { isUnsent: false, isPermanent: false };

/** The codes of Node, undici, Bun and Deno for failures before the first byte of the request was sent. */
const failures: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: refused,
  ConnectionRefused: refused,
  EHOSTUNREACH: refused,
  ENETUNREACH: refused,
  EAI_AGAIN: refused,
  UND_ERR_CONNECT_TIMEOUT: refused,
  ENOTFOUND: { isUnsent: true, isPermanent: true, advice: "no host has this name: check the base URL" },
  UND_ERR_CLOSED: { isUnsent: true, isPermanent: true, advice: "the transport is closed" },
  UND_ERR_DESTROYED: { isUnsent: true, isPermanent: true, advice: "the transport is closed" },
  UND_ERR_PRX_TLS: { isUnsent: true, isPermanent: true, advice: "the proxy refused the connection" },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    isUnsent: true,
    isPermanent: true,
    advice: "the certificate is for another host: check the base URL",
  },
};

/** The codes of OpenSSL: of certificates and of handshakes that fail. */
const handshake =
  /^(?:ERR_SSL_\w+|ERR_TLS_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH|UNKNOWN_CERTIFICATE_VERIFICATION_ERROR)$/;

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
  const known =
    code === undefined ? undefined : (failures[code] ?? (handshake.test(code) ? untrusted : undefined));
  const { advice = "", ...failure } = known ?? unknown;
  const named = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  const shown = named === "" ? "the connection was lost" : named;
  return { ...failure, code, message: advice === "" ? shown : `${shown}: ${advice}` };
}

/** The properties of an error, of any realm, that are read. */
interface FailureLike {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
}
