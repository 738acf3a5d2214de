import { isSecretHeader, secretsIn } from "../../wire/credentials.ts";
import { Redactor } from "../../wire/redaction.ts";
import type { RequestHeaders } from "./request.ts";

/** Shorter secrets are common words in paths and bodies, and are not redacted. */
const MIN_LENGTH = 8;

/** Creates a redactor of some secrets. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) holdSecret(redactor, secret);
  return redactor;
}

/** Makes a redactor remove another secret from now on. */
export function holdSecret(redactor: Redactor, secret: string): void {
  if (secret.length >= MIN_LENGTH) redactor.add(secret);
}

/** Returns a function that removes the known secrets and those that a request presented. */
export function redaction(known: Redactor, presented: readonly string[]): (text: string) => string {
  if (presented.length === 0) return (text) => known.redact(text);
  const other = redactorOf(presented);
  return (text) => other.redact(known.redact(text));
}

/** Returns the secrets in the headers of a request that the server does not know. */
export function unknownSecrets(
  headers: RequestHeaders,
  known: { has(secret: string): boolean },
): readonly string[] {
  return secretsIn(headers).filter((secret) => secret.length >= MIN_LENGTH && !known.has(secret));
}

const MASK = "[redacted]";

/** Returns headers without the values of secret ones, and the others redacted. */
export function redactHeaders<Value extends string | null>(
  headers: Readonly<Record<string, Value>>,
  redact: (text: string) => string,
): Record<string, string | Value> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | Value] => {
    const shownName = redact(name);
    if (value === null) return [shownName, value];
    return [shownName, isSecretHeader(name) ? MASK : redact(value)];
  });
  return Object.fromEntries(entries);
}
