/** What stands in the journal in place of a secret. */
const REDACTED = "[secret]";

/** A shorter text is a word that stands in paths and bodies for other reasons. */
const SHORTEST = 12;

/** The secrets to look for, as they stand in a body and in an address. */
export function knownSecrets(secrets: Iterable<string>): string[] {
  const long = [...secrets].filter((secret) => secret.length >= SHORTEST);
  return [...new Set([...long, ...long.map(encodeURIComponent)])];
}

/** The known secrets, and the one that a request came with. */
export function secretsOf(known: readonly string[], authorization: string | undefined): readonly string[] {
  const shown = presented(authorization);
  if (shown === undefined || known.includes(shown)) return known;
  return [...known, ...knownSecrets([shown])];
}

/** A text without the secrets given. */
export function redacted(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
  }
  return clean;
}

const BEARER = /^bearer +(\S+) *$/i;

/** The bearer token of an `Authorization` header; nothing where the scheme is another. */
export function presented(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}
