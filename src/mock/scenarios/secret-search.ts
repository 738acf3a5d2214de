/** Escapes of URLs, JSON, JavaScript, HTML and shells: hexadecimal, octal, decimal, and those without a letter or digit. */
const escapes =
  /(?:%|\\+x)([\da-f]{2})|\\+[ux]\{0*([\da-f]{1,6})\}|(?:%|\\+)u([\da-f]{4})|&#x0*([\da-f]{1,6});?|\\+0?([0-7]{3})|&#0*(\d{1,7});?|&[a-z]{2,31};|\\[nrt]/gi;

/** Escapes may be nested, by a proxy that quotes a URL or by JSON within JSON. */
const maxLayers = 5;

/** The longest part of a secret that must be in a text, so that one that was cut is found. */
const maxPart = 12;

/** Shorter forms could be in any text. */
const minPart = 8;

/** What a program, a service or an attacker may put between the characters of a secret: invisible ones, or any symbols. */
const separators = [/[\s\p{Cc}\p{Cf}\p{DI}\u2800]+/gu, /[^a-z\d]+/g];

/** Returns a text without separators, then the same with one more layer of escapes decoded each time. */
function bareTexts(text: string): string[] {
  const layers = [text];
  for (let layer = text; layers.length <= maxLayers && /[%\\&]/.test(layer); layers.push(layer)) {
    const next = layer.replace(escapes, (_, ...groups: (string | undefined)[]) => {
      const [byte, point, unit, entity, octal, decimal] = groups;
      const hex = byte ?? point ?? unit ?? entity;
      const code = Number.parseInt(hex ?? octal ?? decimal ?? "", hex ? 16 : octal ? 8 : 10);
      return code < 0x80 ? String.fromCharCode(code) : ""; // secrets are ASCII
    });
    if (next === layer) break;
    layer = next;
  }
  return layers.flatMap((layer) => separators.map((between) => layer.toLowerCase().replace(between, "")));
}

/** Returns a secret, its hexadecimal form, and its base64 forms at each of the three offsets, without separators. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  return [secret, bytes.toString("hex"), ...base64].flatMap(bareTexts);
}

/** Returns a function that says whether a text shows a secret or a part of one, in any encoding or case, or in pieces. */
export function searchSecrets(secrets: readonly string[]): (text: string) => boolean {
  const parts = new Map<number, Set<string>>();
  for (const form of secrets.flatMap(formsOf)) {
    const length = Math.min(form.length, maxPart, Math.max(minPart, Math.ceil(form.length / 3)));
    if (length < minPart) continue;
    const known = parts.get(length) ?? new Set();
    parts.set(length, known);
    for (let end = length; end <= form.length; end += 1) known.add(form.slice(end - length, end));
  }
  const hasPart = (text: string): boolean => {
    for (const [length, known] of parts)
      for (let end = length; end <= text.length; end += 1)
        if (known.has(text.slice(end - length, end))) return true;
    return false;
  };
  return (text) => [...new Set(bareTexts(text))].some(hasPart);
}
