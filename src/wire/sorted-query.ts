/** Returns the encoded parameters of a query in the order of their names, without those of paging. */
export function sortedQuery(query: Readonly<Record<string, unknown>>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  const pairs = Object.entries(filters).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, String(item)]),
  );
  const params = new URLSearchParams(pairs);
  params.sort();
  return params.toString();
}
