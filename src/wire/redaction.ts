/**
 * Redacts secrets in text by plain string search: in plain form, in base64 and hexadecimal, escaped for URLs, JSON or
 * HTML, in another case, broken over lines, or truncated. The time is linear in the text; no expression is built from a
 * secret.
 */

const mask = "[redacted]";

/** Shorter secrets are redacted only as whole words: single letters inside words would make every text unreadable. */
const minLengthInWords = 8;

/** The text is compared with every block of a secret; a match is then extended in both directions. */
const blockLength = 4;

/** A text without its escapes, and the position of each of its characters in the original. */
interface Unescaped {
  text: string;
  /** The index of each character in the original; undefined if the text has no escapes. */
  from?: Uint32Array | undefined;
  /** The index after each character in the original. */
  to?: Uint32Array | undefined;
}

interface Place {
  form: string;
  at: number;
  /** The number of consecutive characters that count as the secret. */
  minLength: number;
}

/** Redacts any number of secrets. */
export class Redactor {
  /** The number of holders of each secret, in the order in which the secrets were added. */
  readonly #secrets = new Map<string, number>();
  readonly #maxReleased: number;
  #words: ReadonlySet<string> = new Set();
  #blocks: ReadonlyMap<string, readonly Place[]> | undefined;

  /** @param maximum the number of secrets without a holder that are kept; the oldest are dropped first */
  constructor(maximum = 64) {
    this.#maxReleased = maximum;
  }

  add(secret: string): void {
    if (secret === "") return;
    const holders = this.#secrets.get(secret);
    if (holders === undefined) this.#blocks = undefined;
    else this.#secrets.delete(secret);
    this.#secrets.set(secret, holders ?? 0);
    this.#dropOldest();
  }

  /** Adds the secrets of another redactor. */
  addFrom(other: Redactor): void {
    for (const secret of other.#secrets.keys()) this.add(secret);
  }

  /** Adds a secret and keeps it until `release`, independent of the number of others. */
  hold(secret: string): void {
    this.add(secret);
    this.#secrets.set(secret, (this.#secrets.get(secret) ?? 0) + 1);
  }

  release(secret: string): void {
    const holders = this.#secrets.get(secret) ?? 0;
    if (holders > 0) this.#secrets.set(secret, holders - 1);
  }

  #dropOldest(): void {
    for (const [secret, holders] of this.#secrets) {
      if (this.#secrets.size <= this.#maxReleased) return;
      if (holders > 0) continue;
      this.#secrets.delete(secret);
      this.#blocks = undefined;
    }
  }

  /** Returns the text without the secrets. */
  redact(text: string): string {
    if (this.#secrets.size === 0 || text === "") return text;
    this.#blocks ??= this.#index();
    const ranges: Range[] = [];
    // a secret may contain an escape sequence, so each layer of unescaping is searched
    for (const plain of layersOf(text)) {
      for (const range of this.#shortRanges(plain)) ranges.push(range);
      for (const range of longRanges(plain, this.#blocks)) ranges.push(range);
    }
    return ranges.length === 0 ? text : maskRanges(text, ranges);
  }

  #index(): ReadonlyMap<string, readonly Place[]> {
    const secrets = [...this.#secrets.keys()];
    const short = secrets.filter((secret) => secret.length < minLengthInWords);
    this.#words = new Set(short.flatMap((secret) => [secret, btoa(bytesOf(secret)).replace(/=+$/, "")]));
    const blocks = new Map<string, Place[]>();
    for (const secret of secrets.filter(({ length }) => length >= minLengthInWords)) {
      for (const form of formsOf(secret)) addBlocks(blocks, fold(form));
    }
    return blocks;
  }

  #shortRanges(plain: Unescaped): Range[] {
    const { text } = plain;
    const ranges: Range[] = [];
    for (const word of this.#words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        const end = at + word.length;
        if (isWord(text[at - 1]) || isWord(text[end])) continue;
        ranges.push(originalRange(plain, at, end));
      }
    }
    return ranges;
  }
}

type Range = [from: number, to: number];

/**
 * Returns the secret, its hexadecimal form, and the stable part of its base64 forms at each of the three offsets. Also
 * the unescaped forms of a secret that contains an escape sequence.
 */
function formsOf(secret: string): string[] {
  const bytes = bytesOf(secret);
  const base64 = [0, 1, 2].map((before) => {
    const whole = btoa(" ".repeat(before) + bytes);
    return whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const unescaped = [...layersOf(secret)].map((layer) => withoutBlanks(layer).text);
  return [...unescaped.filter(({ length }) => length >= minLengthInWords), hex, ...base64];
}

/** Returns the UTF-8 bytes of a text, each as a character. */
function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function addBlocks(blocks: Map<string, Place[]>, form: string): void {
  const minLength = Math.min(
    form.length,
    Math.max(minLengthInWords, Math.min(12, Math.ceil(form.length / 3))),
  );
  for (let at = 0; at + blockLength <= form.length; at += blockLength) {
    const block = form.slice(at, at + blockLength);
    const places = blocks.get(block) ?? [];
    if (places.length < 8) places.push({ form, at, minLength });
    blocks.set(block, places);
  }
}

/** Normalizes case, the two alphabets of base64 and white space. Keeps the length of the text. */
function fold(text: string): string {
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()); // other letters may become longer in lower case
  return lower.replaceAll("-", "+").replaceAll("_", "/");
}

function longRanges(plain: Unescaped, blocks: ReadonlyMap<string, readonly Place[]>): Range[] {
  if (blocks.size === 0) return [];
  const bare = withoutBlanks(plain);
  const folded = fold(bare.text);
  const ranges: Range[] = [];
  let done = 0; // the text before it has been redacted
  for (let at = 0; at + blockLength <= folded.length; at += 1) {
    const places = blocks.get(folded.slice(at, at + blockLength));
    const [first, end] = places === undefined ? [0, 0] : longestMatch(folded, at, places, done);
    if (end <= at) continue;
    ranges.push(originalRange(bare, first, end));
    done = end;
    at = end - 1;
  }
  return ranges;
}

/** The longest sufficient match around `at`; an empty one if there is none. */
function longestMatch(text: string, at: number, places: readonly Place[], minimum: number): Range {
  let best: Range = [0, 0];
  for (const { form, at: place, minLength: enough } of places) {
    let back = 0;
    while (back < place && at - back > minimum && text[at - back - 1] === form[place - back - 1]) back += 1;
    let ahead = blockLength;
    while (place + ahead < form.length && text[at + ahead] === form[place + ahead]) ahead += 1;
    if (back + ahead >= enough && back + ahead > best[1] - best[0]) best = [at - back, at + ahead];
  }
  return best;
}

function maskRanges(text: string, ranges: Range[]): string {
  let result = "";
  let at = 0;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from >= at) result += text.slice(at, from) + mask;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

/** The range of a part of an unescaped text in the original. */
function originalRange({ from, to }: Unescaped, first: number, end: number): Range {
  return [from?.[first] ?? first, to?.[end - 1] ?? end];
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /\w/.test(sign);
}

const escape =
  /%([\da-f]{2})|\\x([\da-f]{2})|\\+u\{([\da-f]{1,6})\}|\\+u([\da-f]{4})|&#x([\da-f]{1,6});|&#(\d{1,7});|&([a-z]{2,6});|\\+([^\da-z])|\\([nrt])/gi;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  bsol: "\\",
  plus: "+",
  equals: "=",
  colon: ":",
  period: ".",
  lowbar: "_",
  excl: "!",
  num: "#",
  dollar: "$",
  percnt: "%",
  ast: "*",
  comma: ",",
  semi: ";",
  quest: "?",
  commat: "@",
  lsqb: "[",
  rsqb: "]",
  lbrack: "[",
  rbrack: "]",
  lpar: "(",
  rpar: ")",
  lcub: "{",
  rcub: "}",
  lbrace: "{",
  rbrace: "}",
  hat: "^",
  grave: "`",
  verbar: "|",
  vert: "|",
  tilde: "~",
};

/** Escapes may be nested, by a proxy that quotes a URL or by JSON within JSON. */
const maxLayers = 4;

/** Returns the text, then the text with one more layer of escapes removed each time. */
function* layersOf(text: string): Generator<Unescaped, void> {
  let plain: Unescaped = { text };
  yield plain;
  for (let layer = 0; layer < maxLayers && /[%\\&]/.test(plain.text); layer += 1) {
    const next = unescapeOnce(plain);
    if (next.text.length === plain.text.length) return;
    plain = next;
    yield plain;
  }
}

function unescapeOnce(plain: Unescaped): Unescaped {
  const builder = new Builder(plain);
  let at = 0;
  for (const match of plain.text.matchAll(escape)) {
    const sign = signOf(match);
    if (sign === undefined) continue;
    builder.copy(at, match.index);
    at = match.index + match[0].length;
    builder.add(sign, match.index, at);
  }
  builder.copy(at, plain.text.length);
  return builder.result();
}

function signOf(match: RegExpExecArray): string | undefined {
  const [, percent, byte, point, unit, hex, decimal, entity, sign, blank] = match;
  const digits = percent ?? byte ?? point ?? unit ?? hex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  if (digits !== undefined || decimal !== undefined)
    return code < 0x80 ? String.fromCharCode(code) : undefined; // secrets are ASCII
  if (entity !== undefined) return entities[entity.toLowerCase()];
  return blank === undefined ? sign : " ";
}

function withoutBlanks(plain: Unescaped): Unescaped {
  if (!/\s/.test(plain.text)) return plain;
  const builder = new Builder(plain);
  let at = 0;
  for (const { index, 0: blanks } of plain.text.matchAll(/\s+/g)) {
    builder.copy(at, index);
    at = index + blanks.length;
  }
  builder.copy(at, plain.text.length);
  return builder.result();
}

/** Builds a shorter text from another one and records the indices of the original. */
class Builder {
  readonly #source: Unescaped;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  #parts: string[] = [];
  #length = 0;

  constructor(source: Unescaped) {
    this.#source = source;
    this.#from = new Uint32Array(source.text.length);
    this.#to = new Uint32Array(source.text.length);
  }

  copy(from: number, to: number): void {
    const { text, from: starts, to: ends } = this.#source;
    this.#parts.push(text.slice(from, to));
    if (starts !== undefined && ends !== undefined) {
      this.#from.set(starts.subarray(from, to), this.#length);
      this.#to.set(ends.subarray(from, to), this.#length);
      this.#length += to - from;
      return;
    }
    for (let at = from; at < to; at += 1) {
      this.#from[this.#length] = at;
      this.#length += 1;
      this.#to[this.#length - 1] = at + 1;
    }
  }

  /** Adds one character for the characters from `from` to `to`. */
  add(sign: string, from: number, to: number): void {
    const [start, end] = originalRange(this.#source, from, to);
    this.#parts.push(sign);
    this.#from[this.#length] = start;
    this.#to[this.#length] = end;
    this.#length += 1;
  }

  result(): Unescaped {
    return { text: this.#parts.join(""), from: this.#from, to: this.#to };
  }
}
