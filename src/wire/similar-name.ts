/** Returns the end of a message about an unknown name: the name that was probably meant, and the known ones. */
export function describeKnownNames(unknown: string, known: readonly string[]): string {
  const similar = findSimilar(unknown, known);
  const question = similar === undefined ? "" : ` Did you mean "${similar}"?`;
  return `.${question} Expected one of ${known.join(", ")}`;
}

/** Returns the name that was probably meant: the same in another case, part of the given one, or with a typing error. */
export function findSimilar(given: string, known: readonly string[]): string | undefined {
  const text = given.toLowerCase();
  const distances = known.map((name) => {
    const word = name.toLowerCase();
    const [short, long] = word.length < text.length ? [word, text] : [text, word];
    const isPart = short.length > 2 && long.endsWith(short);
    return Math.min(isPart ? 1 : Infinity, editDistance(text, word));
  });
  const least = Math.min(...distances);
  return least <= 3 && least < text.length / 2 ? known[distances.indexOf(least)] : undefined;
}

/** The number of characters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = [...Array(b.length + 1).keys()];
  for (const [index, character] of a.split("").entries()) {
    const next = [index + 1];
    for (const [column, other] of b.split("").entries()) {
      const replaced = (row[column] ?? 0) + Number(character !== other);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
