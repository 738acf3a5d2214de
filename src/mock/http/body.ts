import { nestsTooDeep } from "../../wire/json.ts";
import type { Issue } from "./api-response.ts";

/**
 * The largest depth of a body: deeper than any body in the contracts, and far below the depth at which
 * `JSON.stringify` overflows the stack.
 */
const DEPTH_LIMIT = 200;

const BODY_REQUIRED: Issue = { path: "", message: "is required", code: "invalid_type" };
const NOT_JSON: Issue = { path: "", message: "must be JSON", code: "invalid_json" };
const TOO_DEEP: Issue = {
  path: "",
  message: `must be nested at most ${DEPTH_LIMIT} levels deep`,
  code: "too_big",
};

const NOT_UTF_8: Issue = { path: "", message: "must be UTF-8", code: "invalid_encoding" };

const decoder = new TextDecoder("utf-8", { fatal: true });

export interface DecodedBody {
  readonly body?: string;
  readonly notUtf8?: true;
}

/** Decodes the bytes of a body. A byte order mark is left out, as `fetch` does. */
export function decodeBody(bytes: Uint8Array): DecodedBody {
  try {
    return { body: decoder.decode(bytes) };
  } catch {
    return { notUtf8: true };
  }
}

/** Returns a body string as HTTP would deliver it: without a byte order mark and with replaced lone surrogates. */
export function transmittedText(text: string): string {
  const sent = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return sent.isWellFormed() ? sent : sent.toWellFormed();
}

export function parseBody(text: string | undefined, notUtf8 = false): { value: unknown } | { issue: Issue } {
  if (notUtf8) return { issue: NOT_UTF_8 };
  if (text === undefined || text === "") return { issue: BODY_REQUIRED };
  if (nestsTooDeep(text, DEPTH_LIMIT)) return { issue: TOO_DEEP };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { issue: NOT_JSON };
  }
}

/** Whether a string has more UTF-8 bytes than the limit. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes > limit;
}
