/** The name of the method that `console.log` calls in Node, Bun and Deno. */
export const inspection = Symbol.for("nodejs.util.inspect.custom");

/** The function that writes values for `console.log`. */
export type Inspect = (value: unknown, options?: unknown) => string;

/** Returns the text that `console.log` shows: the class of an object, and the properties that are worth showing. */
export function describeObject(name: string, shown: object, inspect?: Inspect, options?: unknown): string {
  return `${name} ${inspect === undefined ? JSON.stringify(shown) : inspect(shown, options)}`;
}
