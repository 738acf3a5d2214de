/** The causes of a failed request, by the codes of Node and undici. */
const CAUSES: readonly (readonly [codes: RegExp, cause: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "its host name cannot be resolved"],
  [/^ECONNREFUSED$/, "it refused the connection"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "it closed the connection"],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, "there is no route to its host"],
  [/^(ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, "it did not respond in time"],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/, "its TLS certificate is not accepted"],
  [/SSL|TLS|EPROTO/, "the TLS handshake failed"],
  [/^ERR_HTTP_INVALID_STATUS_CODE$/, "the response has an invalid status"],
  [/^HPE_|^UND_ERR_HEADERS/, "its response is not valid HTTP"],
];

/** The message of `fetch` for a port to which it sends nothing, such as 6000. */
const FORBIDDEN_PORT = "bad port";

/** Returns the cause of a request without a response, in words and with its code, or otherwise its message. */
export function describeConnectionFailure(error: unknown): string {
  if (error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name))
    return "it did not respond in time";
  const code = codeOf(error);
  const cause = CAUSES.find(([codes]) => codes.test(code))?.[1];
  if (code !== "") return `${cause ?? "no response"} (${code})`;
  const message = messageOf(error);
  if (message === FORBIDDEN_PORT) return "fetch sends nothing to its port, which the Fetch standard forbids";
  return message === "" ? "no response" : message;
}

/** Returns the last message in a chain of causes. */
function messageOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return "";
  return messageOf(error.cause, depth + 1) || error.message;
}

/** Returns the first code in a chain of causes. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return "";
  // Node's errors have more properties than `Error`
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  return codeOf(cause ?? (Array.isArray(errors) ? errors[0] : undefined), depth + 1);
}
