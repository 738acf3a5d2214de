/** Returns the names of a table, which has no other properties than those of its type. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[]; // TypeScript expects further properties
}

/** Returns a table with a value for each name. */
export function tableOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>; // one for each name
}

type Given<Row> = { [Name in keyof Row]?: Exclude<Row[Name], undefined> };

/** Returns the properties that are not undefined. */
export function omitUndefined<Row extends object>(row: Row): Given<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Given<Row>; // filtered
}

/** Returns the end of a message about an unknown name: the name that was probably meant, and the known ones. */
export function describeKnownNames(unknown: string, known: readonly string[]): string {
  const similar = findSimilar(unknown, known);
  const question = similar === undefined ? "" : ` Did you mean "${similar}"?`;
  return `.${question} Expected one of ${known.join(", ")}`;
}

/**
 * Returns the name that was probably meant: one with the same letters in another order, or else the one with the most pairs
 * of letters in common, at least two of five.
 */
export function findSimilar(given: string, known: readonly string[]): string | undefined {
  const swapped = known.find((name) => lettersOf(name) === lettersOf(given));
  if (swapped !== undefined) return swapped;
  const pairs = pairsOf(given);
  const shares = known.map((name) => {
    const others = pairsOf(name);
    const common = [...pairs].filter((pair) => others.has(pair));
    return (2 * common.length) / (pairs.size + others.size);
  });
  const most = Math.max(...shares);
  return most >= 0.4 ? known[shares.indexOf(most)] : undefined;
}

function lettersOf(word: string): string {
  return word.toLowerCase().split("").toSorted().join("");
}

/** Returns the pairs of neighboring letters, and the last letter. */
function pairsOf(word: string): Set<string> {
  const letters = word.toLowerCase().split("");
  return new Set(letters.map((letter, index) => letter + (letters[index + 1] ?? "")));
}
