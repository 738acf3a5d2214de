/** The causes of a failed request, by the codes of Node and undici. */
const CAUSES: readonly (readonly [codes: RegExp, cause: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "its host name cannot be resolved"],
  [/^ECONNREFUSED$/, "it refused the connection"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "it closed the connection"],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, "there is no route to its host"],
  [/^(ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, "it did not respond in time"],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/, "its TLS certificate is not accepted"],
  [/SSL|TLS|EPROTO/, "the TLS handshake failed"],
];

/** Returns the cause of a request without a response, in words and with its code. */
export function describeConnectionFailure(error: unknown): string {
  if (error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name))
    return "it did not respond in time";
  const code = codeOf(error);
  const cause = CAUSES.find(([codes]) => codes.test(code))?.[1];
  return code === "" ? "no response" : `${cause ?? "no response"} (${code})`;
}

/** Returns the first code in a chain of causes. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return "";
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  return codeOf(cause ?? (Array.isArray(errors) ? errors[0] : undefined), depth + 1);
}
