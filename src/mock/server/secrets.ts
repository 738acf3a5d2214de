import { isObject } from "../../wire/json.ts";
import { Redactor } from "../../wire/secret.ts";

/** Shorter secrets would make every text unreadable. */
const MIN_LENGTH = 8;

/** Headers whose values are secrets, also those that the server does not know. */
const SECRET_HEADER =
  /auth(?:orization)?$|cookie|token|jwt|secret|passw|credential|session|signature|[cx]srf|(?<!idempotency-)key$/;

/** The tokens and keys that a server has ever had. Removes them from what is shown, after it was decoded. */
export class Secrets {
  readonly #redactor = new Redactor();

  add(secret: string): void {
    if (secret.length >= MIN_LENGTH) this.#redactor.add(secret);
  }

  /** Returns a text without secrets; one that has a secret in another spelling is decoded. */
  readonly text = (text: string, levels = 3): string => {
    const decoded = decode(text);
    const shown = decoded === text || levels === 0 ? decoded : this.text(decoded, levels - 1);
    return shown === decoded ? this.#redactor.redact(text) : shown;
  };

  /** Returns JSON without secrets in its names and values. */
  readonly json = (value: unknown): unknown => {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map(this.json);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => [this.text(name), this.json(inner)]);
    return Object.fromEntries(entries);
  };

  /** Returns headers, whose names are in lower case, without secrets. */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(headers).map(([name, value]) => [
      this.text(name),
      SECRET_HEADER.test(name) ? "[redacted]" : this.text(value),
    ]);
    return Object.fromEntries(entries) as Record<string, string>; // TypeScript takes the pairs for arrays
  }
}

/** Decodes the escapes of URLs and JSON, such as `%2f`, `\/` and `\u002f`, for characters that secrets have. */
function decode(text: string): string {
  const escapes = /(?:%|\\u00)([2-7][\da-f])|\\([/"\\])/gi;
  return text.replaceAll(escapes, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
