/**
 * Redacts secrets in text by plain string search: in plain form, in base64 and hexadecimal, escaped for URLs, JSON, HTML
 * or a shell, in another case, broken over lines or by invisible characters, or truncated. The time is linear in the text; no expression is built
 * from a secret.
 */
import { type Layer, invisible, layersOf, rewrite } from "./escapes.ts";

/** Replaces a secret in a text. */
export const MASK = "[redacted]";

/** Shorter secrets are redacted only as whole words: single letters inside words would make every text unreadable. */
const minLengthInWords = 8;

/** The longest part of a secret that may remain, and one more character. */
const maxPart = 12;

/** The number of characters that are compared first. */
const headLength = 4;

/**
 * Characters that a service or an attacker may put between those of a secret. Without symbols, a secret of few letters would
 * be too short.
 */
const separators = [invisible, /[^a-z\d]+/gi];

/** The distance of the places where they are: each part contains one. */
const stride = minLengthInWords - headLength + 1;

/** Redacts any number of secrets. */
export class Redactor {
  /** Short secrets. */
  readonly #words = new Set<string>();
  /** The parts of the forms of the other ones, by their length. */
  readonly #parts = new Map<number, Set<string>>();
  /** Nonzero for the characters of the forms, `headLength` at a time: most places of a text need no further comparison. */
  readonly #heads = new Uint8Array(0x20_00);

  keep(secret: string): void {
    if (secret === "") return;
    if (secret.length < minLengthInWords)
      for (const word of [secret, btoa(bytesOf(secret)).replace(/=+$/, "")]) this.#words.add(word);
    else for (const form of formsOf(secret)) this.#addParts(fold(form));
  }

  #addParts(form: string): void {
    const length = Math.min(form.length, maxPart, Math.max(minLengthInWords, Math.ceil(form.length / 3)));
    const parts = this.#parts.get(length) ?? new Set();
    this.#parts.set(length, parts);
    for (let start = 0; start + headLength <= form.length; start += 1) {
      this.#heads[headOf(form, start)] = 1;
      if (start + length <= form.length) parts.add(form.slice(start, start + length));
    }
  }

  /** Returns the text without the secrets. */
  redact(text: string): string {
    if (this.#words.size === 0 && this.#parts.size === 0) return text;
    const ranges: Range[] = [];
    // a secret may contain an escape sequence, so each layer of unescaping is searched
    for (const layer of layersOf(text)) {
      findWords(layer, this.#words, ranges);
      for (const between of separators) {
        const found = this.#findParts(fold(layer.text.replace(between, "")));
        if (found.length === 0) continue; // as in most texts
        const [starts, ends] = [layer.starts, layer.starts.subarray(1)].map(
          (indices) => rewrite({ text: layer.text, starts: indices }, between, () => "").starts,
        ) as [Uint32Array, Uint32Array]; // with an index for each character
        for (const [start, end] of found) ranges.push([starts[start], ends[end - 1]] as Range);
      }
    }
    return ranges.length === 0 ? text : maskRanges(text, ranges);
  }

  #findParts(text: string): Range[] {
    const ranges: Range[] = [];
    for (let head = 0; head < text.length; head += stride) {
      if (this.#heads[headOf(text, head)] === 0) continue;
      // before the beginning of the text, `slice` returns less than a part
      for (let start = head; start > head - stride; start -= 1) {
        for (const [length, known] of this.#parts) {
          if (known.has(text.slice(start, start + length))) ranges.push([start, start + length]);
        }
      }
    }
    return ranges;
  }
}

/** Creates a redactor of some secrets. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.keep(secret);
  return redactor;
}

/** A part of a text. */
type Range = [start: number, end: number];

function findWords({ text, starts }: Layer, words: ReadonlySet<string>, ranges: Range[]): void {
  for (const word of words) {
    for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + 1)) {
      const end = start + word.length;
      if (/\w/.test(text.charAt(start - 1)) || /\w/.test(text.charAt(end))) continue;
      ranges.push([starts[start], starts[end]] as Range); // the text has an index for each character
    }
  }
}

/** Returns a hash of the characters from an index on. */
function headOf(text: string, start: number): number {
  let hash = 0;
  for (let index = start; index < start + headLength; index += 1) hash = (hash << 3) ^ text.charCodeAt(index);
  return hash & 0x1f_ff;
}

/** Replaces the ranges. Overlapping and adjacent ones are replaced together. */
function maskRanges(text: string, ranges: readonly Range[]): string {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  let result = "";
  let done = 0;
  let masked = -1;
  for (const [start, end] of sorted) {
    if (start > masked) result += text.slice(done, start) + MASK;
    masked = Math.max(masked, end);
    done = masked;
  }
  return result + text.slice(done);
}

/**
 * Returns the secret, its hexadecimal form, and the stable part of its base64 forms at each of the three offsets. Also
 * the unescaped forms of a secret that contains an escape sequence.
 */
function formsOf(secret: string): string[] {
  const bytes = bytesOf(secret);
  const base64 = [0, 1, 2].map((before) =>
    btoa(" ".repeat(before) + bytes).slice(
      Math.ceil((before * 4) / 3),
      Math.floor(((before + bytes.length) * 4) / 3),
    ),
  );
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const unescaped = [...layersOf(secret)].map(({ text }) => text);
  return [...unescaped, hex, ...base64]
    .flatMap((form) => separators.map((between) => form.replace(between, "")))
    .filter(({ length }) => length >= minLengthInWords);
}

/** Returns the UTF-8 bytes of a text, each as a character. */
function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Normalizes case and the two alphabets of base64. Keeps the length of the text. */
function fold(text: string): string {
  // the only letter that is longer in lower case
  return text.replaceAll("\u0130", "i").toLowerCase().replaceAll("-", "+").replaceAll("_", "/");
}
