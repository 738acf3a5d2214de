import { isObject } from "../../wire/json.ts";
import { Redactor } from "../../wire/secret.ts";
import type { RequestHeaders } from "./exchange.ts";

/** Shorter secrets would make every text unreadable. */
const MIN_LENGTH = 8;

/** The text that replaces a secret. */
const MASK = "[redacted]";

/** Names of headers whose values are secrets, such as `Authorization`, `X-Api-Key`, `X-JWT` and `X-Auth-Token`. */
const SECRET_HEADER =
  /auth(?:orization)?$|^(?:set-)?cookie2?$|token|jwt|jws|secret|passw|passphrase|passcode|pwd|credential|session|signature|hmac|assertion|bearer|ticket|saml|[cx]srf|\b(?:sid|otp|dpop|pin)\b|(?<!idempotency-)key$/i;

/** Whether the values of a header are never shown. */
function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Matches a JSON Web Token, which is a secret in every place. */
const WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;

/** What can be base64 of a secret, and of more; a slash may also be one between it and another text. */
const BASE64 = [/[\w+/-]{11,}={0,2}/g, /[\w+-]{11,}={0,2}/g];

/** How often a text can be encoded, so that a secret in it is found. */
const MAX_LEVELS = 4;

/** The largest number of texts that are remembered, and of their characters. */
const MAX_KNOWN = 1_000;

/** Removes secrets from texts and JSON, in each spelling. */
export class Redaction {
  readonly #redact: (text: string) => string;
  /** What texts look like without secrets: many requests have the same. */
  readonly #known = new Map<string, string>();

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Returns a text without the secrets in it, also where it is percent-encoded, escaped as in JSON, or base64. */
  readonly text = (text: string): string => {
    if (text.length < MIN_LENGTH) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const shown = this.#clean(text);
    if (this.#known.size === MAX_KNOWN) this.forget();
    if (text.length <= MAX_KNOWN) this.#known.set(text, shown);
    return shown;
  };

  /** Forgets what texts look like, because there is another secret. */
  forget(): void {
    this.#known.clear();
  }

  #clean(text: string): string {
    let shown = this.#redact(text).replaceAll(WEB_TOKEN, MASK);
    let decoded = shown;
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const next = unescaped(percentDecoded(decoded));
      if (next === decoded) break;
      decoded = this.#redact(next);
      if (decoded !== next) shown = decoded;
    }
    for (const pattern of BASE64)
      shown = shown.replaceAll(pattern, (part) => (this.#hides(part) ? MASK : part));
    return shown;
  }

  /** Whether base64 contains a secret. */
  #hides(base64: string): boolean {
    const decoded = base64Decoded(base64);
    return decoded !== undefined && this.#redact(decoded) !== decoded;
  }

  /** Returns JSON without the secrets in its names and values. */
  readonly json = (value: unknown): unknown => {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.text(String(value)) === String(value) ? value : MASK;
    if (Array.isArray(value)) return value.map(this.json);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.text(name), this.json(inner)]),
    );
  };

  /** Returns headers without secrets in their names and values. */
  headers<Value extends string | null | undefined>(
    headers: Readonly<Record<string, Value>>,
  ): Record<string, string | Value> {
    const entries = Object.entries(headers).map(([name, value]): [string, string | Value] => {
      if (typeof value !== "string") return [this.text(name), value];
      return [this.text(name), isSecretHeader(name) ? MASK : this.text(value)];
    });
    return Object.fromEntries(entries);
  }
}

/** Decodes each run of escapes that is UTF-8: `%2F` and `%2f`. */
function percentDecoded(text: string): string {
  if (!text.includes("%")) return text;
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Decodes the escapes of JSON strings: `\/` and `\u003d`. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(/\\u([\da-f]{4})|\\([/"\\])/gi, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function base64Decoded(text: string): string | undefined {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined; // it is not base64
  }
}

/** The tokens and keys that a server has ever had. */
export class Secrets {
  readonly #known = new Set<string>();
  readonly #redactor = new Redactor();
  /** Removes the secrets of the server. */
  readonly redaction = new Redaction(this.#redactor.redact);

  add(secret: string): void {
    this.#known.add(secret);
    this.redaction.forget();
    addForms(this.#redactor, secret);
  }

  /** Returns what also removes the unknown secrets in the headers of a request. */
  redactionFor(headers: RequestHeaders): Redaction {
    const presented = Object.entries(headers)
      .flatMap(([name, value]) => (isSecretHeader(name) ? presentedIn(value) : []))
      .filter((secret) => secret.length >= MIN_LENGTH && !this.#known.has(secret));
    if (presented.length === 0) return this.redaction;
    const other = new Redactor();
    for (const secret of presented) addForms(other, secret);
    return new Redaction((text) => other.redact(this.#redactor.redact(text)));
  }
}

/** Returns the secrets in the value of a header: what follows a scheme, the password of Basic, the values of cookies. */
function presentedIn(value: string): string[] {
  const secret = value.replace(/^\S+ +/, "").trim(); // without the scheme, such as Bearer
  const password = /^basic /i.test(value) ? base64Decoded(secret)?.replace(/^[^:]*:/, "") : undefined;
  const cookies = Array.from(value.matchAll(/=([^;\s]+)/g), ([, text = ""]) => text);
  return [secret, password ?? "", ...cookies];
}

/** Redacts a secret, also where a form has turned its plus signs into blanks. */
function addForms(redactor: Redactor, secret: string): void {
  if (secret.length < MIN_LENGTH) return;
  redactor.add(secret);
  if (secret.includes("+")) redactor.add(secret.replaceAll("+", " "));
}
