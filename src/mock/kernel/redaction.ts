/** Replaces a secret in the journal. */
const REDACTED = "[secret]";

/** Shorter texts are common words in paths and bodies. */
const SHORTEST = 12;

/** A secret to look for, in any of the forms that an address, JSON or base64 give it. */
export interface KnownSecret {
  readonly secret: string;
  /** Each form has one of these in it, letter for letter: without them nothing need be looked for. */
  readonly marks: readonly string[];
  readonly pattern: RegExp;
}

/** Prepares secrets for redaction. */
export function knownSecrets(secrets: Iterable<string>): KnownSecret[] {
  return [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST).map(describeSecret);
}

/** Returns the known secrets and the one of a request. */
export function secretsOf(
  all: readonly KnownSecret[],
  authorization: string | undefined,
): readonly KnownSecret[] {
  const shown = bearerToken(authorization);
  if (shown === undefined || all.some(({ secret }) => secret === shown)) return all;
  return [...all, ...knownSecrets([shown])];
}

/** Replaces the secrets in a text. */
export function redact(text: string, secrets: readonly KnownSecret[]): string {
  let clean = text;
  for (const { marks, pattern } of secrets) {
    if (marks.some((mark) => clean.includes(mark))) clean = clean.replace(pattern, REDACTED);
  }
  return clean;
}

function describeSecret(secret: string): KnownSecret {
  const forms = [secret, ...base64Forms(secret)];
  return {
    secret,
    marks: forms.map(longestWord),
    pattern: new RegExp(forms.map((form) => form.replace(/\W/g, inAnyWriting)).join("|"), "g"),
  };
}

/** Letters and digits are written as they are everywhere. */
function longestWord(form: string): string {
  return form.split(/\W+/).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

function inAnyWriting(sign: string): string {
  const hex = sign.charCodeAt(0).toString(16).padStart(2, "0");
  const digits = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:\\\\{0,2}\\x${hex}|%(?:25){0,2}${digits}|\\\\u00${digits})`;
}

/**
 * The secret within the base64 of a longer text, as it begins at a first, second or third letter; of both alphabets.
 */
function base64Forms(secret: string): string[] {
  const forms = ["", "-", "--"].map((before) => {
    const from = before.length === 0 ? 0 : before.length + 1;
    return btoa(before + secret).slice(from, Math.floor(((before.length + secret.length) * 8) / 6));
  });
  const other = forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...forms, ...other])];
}

const BEARER = /^bearer +(\S+) *$/i;

/** Returns the bearer token of an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}
