import { isSecretHeader, secretsIn } from "./secret-headers.ts";
import { Redactor } from "../../wire/redaction.ts";
import type { RequestHeaders } from "./exchange.ts";

/** Shorter secrets would make every text unreadable. */
const MIN_LENGTH = 8;

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
    const presented = secretsIn(headers).filter(
      (secret) => secret.length >= MIN_LENGTH && !this.#known.has(secret),
    );
    if (presented.length === 0) return this.redact;
    const other = new Redactor();
    for (const secret of presented) other.add(secret);
    return (text) => other.redact(this.redact(text));
  }
}

export function redactHeaders<Value extends string | null>(
  headers: Readonly<Record<string, Value>>,
  redact: Redact,
): Record<string, string | Value> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | Value] => {
    const hidden = isSecretHeader(name) ? "[redacted]" : undefined;
    return [redact(name), value === null ? value : (hidden ?? redact(value))];
  });
  return Object.fromEntries(entries);
}
