/** The name of the method that Node's `util.inspect` and `console.log` call. */
export const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;
