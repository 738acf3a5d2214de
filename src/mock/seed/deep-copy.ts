/** Copies JSON deeply; other values that a test put into the state are copied by `structuredClone`. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy = { ...value } as Record<string, unknown>; // a plain object
  for (const name of Object.keys(copy)) {
    const property = copy[name];
    if (typeof property !== "object" || property === null) continue;
    // An assignment to `__proto__` would set the prototype instead of a property.
    if (name === "__proto__") Object.defineProperty(copy, name, { value: deepCopy(property) });
    else copy[name] = deepCopy(property);
  }
  return copy as T;
}
