/** A deep copy of JSON; whatever else somebody put into the state is copied as `structuredClone` does it. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // A member may be called so, and would be lost by plain assignment.
    if (name === "__proto__")
      Object.defineProperty(copy, name, {
        value: deepCopy(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = deepCopy(member);
  }
  return copy as T;
}
