import { Redactor } from "../../wire/redaction.ts";
import type { RequestHeaders } from "./exchange.ts";

/** Shorter secrets would make every text unreadable. */
const MIN_LENGTH = 8;

/** Names of headers whose values are secrets, such as `Authorization`, `X-Api-Key` and `X-Auth-Token`. */
const SECRET_HEADER =
  /auth(?:orization)?$|^(?:set-)?cookie2?$|token|jwt|secret|passw|passphrase|credential|session|signature|(?<!idempotency-)key$/i;

/** Whether the values of a header are never shown. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Returns the bearer token of an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
  const token = authorization.slice("bearer ".length).trim();
  return token === "" || /\s/.test(token) ? undefined : token;
}

export type Redact = (text: string) => string;

/** The tokens and keys that a server has ever had. */
export class Secrets {
  readonly #known = new Set<string>();
  readonly #redactor = new Redactor();

  add(secret: string): void {
    this.#known.add(secret);
    if (secret.length >= MIN_LENGTH) this.#redactor.add(secret);
  }

  readonly redact: Redact = (text) => this.#redactor.redact(text);

  /** Returns a function that also removes the unknown secrets in the headers of a request. */
  redactionFor(headers: RequestHeaders): Redact {
    const presented = Object.entries(headers)
      .flatMap(([name, value]) => (isSecretHeader(name) ? value : []))
      .map((value) => value.replace(/^\S+ +/, "").trim()) // without the scheme, such as Bearer
      .filter((secret) => secret.length >= MIN_LENGTH && !this.#known.has(secret));
    if (presented.length === 0) return this.redact;
    const other = new Redactor();
    for (const secret of presented) other.add(secret);
    return (text) => other.redact(this.redact(text));
  }
}

/** Returns headers without secrets in their names and values. */
export function redactHeaders<Value extends string | null | undefined>(
  headers: Readonly<Record<string, Value>>,
  redact: Redact,
): Record<string, string | Value> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | Value] => {
    if (typeof value !== "string") return [redact(name), value];
    return [redact(name), isSecretHeader(name) ? "[redacted]" : redact(value)];
  });
  return Object.fromEntries(entries);
}
