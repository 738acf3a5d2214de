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
