import { isNativeError } from "node:util/types";

/** How deep causes are followed. */
const mostCauses = 4;

/** What a code of undici means, where its own message does not say it. */
const sentences: Readonly<Record<string, string>> = {
  UND_ERR_CLOSED: "the transport is closed",
  UND_ERR_DESTROYED: "the transport is closed",
  // the original quotes the headers of the request
  UND_MOCK_ERR_MOCK_NOT_MATCHED: "no interceptor of the MockAgent matches this request",
};

/** What to do about a certificate that is not trusted. */
const untrusted =
  "pass the certificate authority of the server in the option connect: { ca } of nodeTransport";

const hints: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** What is read of an error. */
interface Cause {
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/**
 * A new error with the message and code of what failed. The original is not kept as its cause: errors of undici and of
 * Node hold parts of the request, of the response and of certificates.
 */
export function toFailure(error: unknown): Error {
  const code = codeOf(error, 0);
  const message = (code === undefined ? undefined : sentences[code]) ?? describe(error);
  if (code === undefined) return new Error(message);
  const named = message.includes(code) ? message : `${message} (${code})`;
  const hint = hints[code];
  return Object.assign(new Error(hint === undefined ? named : `${named}: ${hint}`), { code });
}

/** The messages of an error and of its causes, each once. */
function describe(error: unknown): string {
  const messages = messagesOf(error, 0).filter((message) => message !== "");
  return [...new Set(messages)].join(": ") || "the request failed";
}

function messagesOf(error: unknown, depth: number): string[] {
  if (!isError(error) || depth > mostCauses) return [];
  // a host name with several addresses: each attempt to connect has a message of its own
  if (error.message === "" && Array.isArray(error.errors))
    return [error.errors.flatMap((one) => messagesOf(one, depth + 1)).join("; ")];
  return [error.message, ...messagesOf(error.cause, depth + 1)];
}

/** The code of the innermost cause that has one: `CERT_HAS_EXPIRED` says more than the code of a proxy. */
function codeOf(error: unknown, depth: number): string | undefined {
  if (!isError(error) || depth > mostCauses) return undefined;
  return codeOf(error.cause, depth + 1) ?? (typeof error.code === "string" ? error.code : undefined);
}

/** `instanceof` fails for errors of Node in a program that runs in a context of its own, as tests under Jest do. */
function isError(error: unknown): error is Cause {
  return isNativeError(error);
}
