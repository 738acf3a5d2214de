import { Redactor } from "../../internal/redaction.ts";

/** Shorter secrets are common words in paths and bodies, and are not redacted. */
const SHORTEST = 8;

/** Creates a redactor of some secrets. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const redactor = new Redactor(Math.max(secrets.length, 1));
  for (const secret of secrets) holdSecret(redactor, secret);
  return redactor;
}

/** Makes a redactor remove another secret from now on. */
export function holdSecret(redactor: Redactor, secret: string): void {
  if (secret.length >= SHORTEST) redactor.hold(secret);
}

/** Returns a function that removes the known secrets and the one that a request presented. */
export function redaction(known: Redactor, presented: string | undefined): (text: string) => string {
  if (presented === undefined || presented.length < SHORTEST) return (text) => known.redact(text);
  const other = redactorOf([presented]);
  return (text) => other.redact(known.redact(text));
}

/** Returns the bearer token of an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
  const token = authorization.slice("bearer ".length).trim();
  return token === "" || /\s/.test(token) ? undefined : token;
}
