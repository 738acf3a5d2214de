/** So many characters of a secret in a row are a part that somebody can use. */
const RUN = 16;

/** Each run of a secret contains one of its blocks of this length, which are quick to find. */
const BLOCK = RUN / 2;

/**
 * Returns a secret as it is, as a URL or a dump shows it, and as a part of base64, which has another form at each of three
 * offsets. The clients redact fewer forms: what they do not know must not be invisible to the judge.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const hex = bytes.toString("hex");
  return [...new Set([secret, encodeURIComponent(secret), hex, hex.replaceAll(/../g, "%$&"), ...base64])];
}

/** Returns a function that tells whether a text contains one of the secrets, or a run of its characters. */
export function leakFinder(secrets: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(secrets)].filter((secret) => secret !== "").flatMap(formsOf);
  return (text) => forms.some((form) => (form.length < RUN ? text.includes(form) : containsRun(text, form)));
}

function containsRun(text: string, form: string): boolean {
  for (let start = 0; start + BLOCK <= form.length; start += BLOCK) {
    const block = form.slice(start, start + BLOCK);
    for (let found = text.indexOf(block); found !== -1; found = text.indexOf(block, found + 1))
      if (lengthOfRun(text, found, form, start) >= RUN) return true;
  }
  return false;
}

/** The number of equal characters around two equal places. */
function lengthOfRun(text: string, place: number, form: string, start: number): number {
  let before = 0;
  while (start > before && place > before && text[place - before - 1] === form[start - before - 1])
    before += 1;
  let after = 0;
  while (
    start + after < form.length &&
    place + after < text.length &&
    text[place + after] === form[start + after]
  )
    after += 1;
  return before + after;
}
