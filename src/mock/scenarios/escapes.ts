/** A text without some escapes. */
export interface Layer {
  readonly text: string;
  /** The index of each character, and of the end, in the original text. */
  readonly starts: Uint32Array;
}

/** Blanks, and characters that nobody sees, which a service or an attacker may put between those of a secret. */
export const invisible = /[\s\p{Cc}\p{Cf}\p{DI}\u2800]+/gu;

/** Escapes of URLs, JSON, JavaScript, HTML and shells, except quotes: a secret is also searched without symbols. */
const escapes =
  /(%[c-f][\da-f](?:%[89ab][\da-f]){1,3})|\\+u(d[89ab][\da-f]{2})\\+u(d[c-f][\da-f]{2})|(?:%|\\+x)([\da-f]{2})|\\+[ux]\{0*([\da-f]{1,6})\}|(?:%|\\+)u([\da-f]{4})|&#x0*([\da-f]{1,6});?|\\+0?([0-7]{3})|&#0*(\d{1,7});?|&([a-z]{2,31});|\\+([^\da-z])|\\[nrt]/gi;

/** The named entities of the characters that a secret can contain, except letters and digits. */
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Escapes may be nested, by a proxy that quotes a URL or by JSON within JSON. */
const maxLayers = 5;

/** Returns the text, then the text with one more layer of escapes removed each time. */
export function* layersOf(text: string): Generator<Layer, void> {
  const starts = new Uint32Array(text.length + 1);
  for (let index = 0; index < starts.length; index += 1) starts[index] = index; // `map` takes ten times as long
  let layer: Layer = { text, starts };
  yield layer;
  for (let count = 0; count < maxLayers && /[%\\&]/.test(layer.text); count += 1) {
    const next = rewrite(layer, escapes, unescape);
    if (next === layer) return;
    layer = next;
    yield layer;
  }
}

/** Returns the character of an escape; undefined if it is not an escape. */
function unescape(match: RegExpExecArray): string | undefined {
  const [, utf8, high, low, byte, point, unit, hex, octal, decimal, entity, sign] = match;
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? " "; // such as a soft hyphen
  if (utf8 !== undefined) return blankFor(decodeUtf8(utf8));
  if (high !== undefined) return blankFor(String.fromCharCode(Number(`0x${high}`), Number(`0x${low}`)));
  const digits = byte ?? point ?? unit ?? hex;
  const [text, base] = digits === undefined ? [octal ?? decimal, octal === undefined ? 10 : 8] : [digits, 16];
  if (text === undefined) return sign ?? " ";
  const code = Number.parseInt(text, base);
  if (code < 0x80) return String.fromCharCode(code); // secrets are ASCII
  return code <= 0x10_ff_ff ? blankFor(String.fromCodePoint(code)) : undefined;
}

/** Returns a blank for an invisible character; no other character beyond ASCII is in a secret. */
function blankFor(sign: string): string | undefined {
  return sign.replace(invisible, "") === "" ? " " : undefined;
}

/** Returns the character of a `%` sequence of UTF-8; an empty text for any other sequence. */
function decodeUtf8(sequence: string): string {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return "";
  }
}

/** Replaces the matches of a pattern by at most one character each. */
export function rewrite(
  layer: Layer,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string | undefined,
): Layer {
  const { text, starts } = layer;
  const rewritten = new Uint32Array(starts.length);
  const parts: string[] = [];
  let [length, done] = [0, 0];
  const copyUntil = (end: number): void => {
    parts.push(text.slice(done, end));
    rewritten.set(starts.subarray(done, end), length);
    length += end - done;
    done = end;
  };
  for (const match of text.matchAll(pattern)) {
    const sign = replace(match);
    if (sign === undefined) continue;
    copyUntil(match.index);
    if (sign !== "") rewritten[length++] = starts[match.index] as number; // the text has an index for each character
    parts.push(sign);
    done = match.index + match[0].length;
  }
  if (done === 0) return layer;
  copyUntil(text.length + 1);
  return { text: parts.join(""), starts: rewritten };
}
