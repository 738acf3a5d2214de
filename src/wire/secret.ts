import { isObject } from "./json.ts";

/** Replaces a secret in a text. */
const mask = "[redacted]";

/** Shorter secrets are redacted only as whole words: inside of words they would make every text unreadable. */
const shortest = 8;

/** The number of secrets that are kept; the oldest is dropped before. */
const most = 1000;

/**
 * Removes secrets from texts: each secret itself, its form in a URL, in JSON and in base64. Error codes
 * and the paths of issues never pass through here.
 */
export class Redactor {
  /** The forms of each secret. */
  readonly #secrets = new Map<string, readonly string[]>();

  /** Redacts a secret from now on. */
  add(secret: string): void {
    if (secret === "" || this.#secrets.has(secret)) return;
    const quoted = JSON.stringify(secret).slice(1, -1);
    // of Latin-1 only, and without the padding: what follows the secret may be encoded together with it
    const base64 = /^[\0-\xff]*$/.test(secret) ? btoa(secret).replace(/=+$/, "") : secret;
    this.#secrets.set(secret, [
      ...new Set([secret, encodeURIComponent(secret.toWellFormed()), quoted, base64]),
    ]);
    const [oldest] = this.#secrets.keys();
    if (this.#secrets.size > most && oldest !== undefined) this.#secrets.delete(oldest);
  }

  /** Returns the text without the secrets. */
  readonly redact = (text: string): string => {
    let redacted = text;
    for (const [secret, forms] of this.#secrets) {
      for (const form of forms) {
        if (!redacted.includes(form)) continue;
        redacted =
          secret.length < shortest
            ? redacted.replaceAll(new RegExp(`(?<!\\w)${escape(form)}(?!\\w)`, "g"), mask)
            : redacted.replaceAll(form, mask);
      }
    }
    return redacted;
  };

  /** Returns JSON without the secrets in its strings. Error codes and the paths of issues keep their values. */
  redactJson(value: unknown): unknown {
    const redact = (name: string, inner: unknown): unknown => {
      if (typeof inner === "string") return name === "code" || name === "path" ? inner : this.redact(inner);
      if (!isObject(inner)) return inner;
      return Object.fromEntries(Object.entries(inner).map(([key, own]) => [this.redact(key), own]));
    };
    return JSON.parse(JSON.stringify(value, redact)) as unknown;
  }
}

/** Creates a redactor of some secrets. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

function escape(text: string): string {
  return text.replaceAll(/[^\w\s]/g, String.raw`\$&`);
}

const keyEnd = /^(test_)?([\da-f]{64})$/i;

/** The prefix consists of letters, digits, dots, hyphens and underscores. */
const anyKey = /^[\da-z][\w.-]*?_(test_)?([\da-f]{64})$/i;

/** A key of the fleet API in parts. */
export interface KeyForm {
  readonly environment: "production" | "sandbox";
  readonly digits: string;
}

/**
 * Parses `<prefix>_` or `<prefix>_test_` and 64 hexadecimal digits of either case (gap keys.hex-case); undefined for
 * another text. Without a given prefix, any prefix is accepted; a prefix that ends in `_test` must be given.
 */
export function parseKey(key: string, prefix?: string): KeyForm | undefined {
  const hasPrefix = prefix === undefined || key.startsWith(`${prefix}_`);
  const parts = prefix === undefined ? anyKey.exec(key) : keyEnd.exec(key.slice(prefix.length + 1));
  if (!hasPrefix || parts === null) return undefined;
  const [, test, digits = ""] = parts;
  return { environment: test === undefined ? "production" : "sandbox", digits };
}

/** Whether a token or key consists of visible ASCII characters, so that `Authorization` can contain it. */
export function isSendableSecret(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
