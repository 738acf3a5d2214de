/** A decoded query; a name that is given several times has an array. */
export type RawQuery = Record<string, string | string[]>;

/** A query that its schema has parsed: with numbers, booleans and defaults. */
export type QueryValues = Readonly<Record<string, unknown>>;

const NO_QUERY: RawQuery = Object.freeze(Object.create(null) as RawQuery);

/** Splits `/v1/stores?limit=5` at its question mark. A fragment is not part of a request. */
export function splitTarget(target: string): [path: string, query: string] {
  const hash = target.indexOf("#");
  const text = hash === -1 ? target : target.slice(0, hash);
  const mark = text.indexOf("?");
  return mark === -1 ? [text, ""] : [text.slice(0, mark), text.slice(mark + 1)];
}

/** Decodes a query like a form: `+` is a space. */
export function parseQuery(text: string): RawQuery {
  if (text === "") return NO_QUERY;
  const query = Object.create(null) as RawQuery;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodeFormText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decodeFormText(pair.slice(equals + 1));
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function decodeFormText(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
