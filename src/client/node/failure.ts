import { isNativeError } from "node:util/types";

/** The depth to which causes are followed. */
const maxCauses = 4;

/** The meanings of undici's codes whose messages do not explain them. */
const sentences: Readonly<Record<string, string>> = {
  UND_ERR_CLOSED: "the transport is closed",
  UND_ERR_DESTROYED: "the transport is closed",
  // the original quotes the headers of the request
  UND_MOCK_ERR_MOCK_NOT_MATCHED: "no interceptor of the MockAgent matches this request",
};

/** The advice for a certificate that is not trusted. */
const untrusted =
  "pass the certificate authority of the server in the option connect: { ca } of nodeTransport";

const hints: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** The properties of an error that are read. */
interface Cause {
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/**
 * Creates an error with the message and code of a failure. The original is not kept as its cause: errors of undici and
 * of Node hold parts of the request, of the response and of certificates.
 */
export function toFailure(error: unknown): Error {
  const code = codeOf(error, 0);
  const message = (code === undefined ? undefined : sentences[code]) ?? describe(error);
  if (code === undefined) return new Error(message);
  const named = message.includes(code) ? message : `${message} (${code})`;
  const hint = hints[code];
  return Object.assign(new Error(hint === undefined ? named : `${named}: ${hint}`), { code });
}

/** Returns the distinct messages of an error and of its causes. */
function describe(error: unknown): string {
  const messages = messagesOf(error, 0).filter((message) => message !== "");
  return [...new Set(messages)].join(": ") || "the request failed";
}

function messagesOf(error: unknown, depth: number): string[] {
  if (!isError(error) || depth > maxCauses) return [];
  // a host name with several IP addresses: each attempt to connect has its own message
  if (error.message === "" && Array.isArray(error.errors))
    return [error.errors.flatMap((inner) => messagesOf(inner, depth + 1)).join("; ")];
  return [error.message, ...messagesOf(error.cause, depth + 1)];
}

/**
 * Returns the code of the innermost cause that has one: `CERT_HAS_EXPIRED` is more precise than the code of a proxy.
 */
function codeOf(error: unknown, depth: number): string | undefined {
  if (!isError(error) || depth > maxCauses) return undefined;
  return codeOf(error.cause, depth + 1) ?? (typeof error.code === "string" ? error.code : undefined);
}

/** `instanceof` fails for errors of Node in a program that runs in its own context, for example in tests with Jest. */
function isError(error: unknown): error is Cause {
  return isNativeError(error);
}
