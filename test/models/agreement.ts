/** Compares the responses of the reference server and a model. */
import { isObject, type Json } from "./exchange.ts";

interface Comparison {
  /** The data of the model as JSON. IDs that are not in it are generated. */
  readonly seeded: string;
  /** The contract does not show these properties: one of both may lack them. */
  readonly isOpen: (property: string) => boolean;
}

/** Returns where two values differ. */
export function differIn(mock: Json, model: Json, path: string, comparison: Comparison): string[] {
  const { seeded, isOpen } = comparison;
  if (isObject(mock) && isObject(model)) {
    const names = new Set([...Object.keys(mock), ...Object.keys(model)]);
    return [...names].flatMap((name) => {
      const [one, other] = [mock[name], model[name]];
      if (one !== undefined && other !== undefined)
        return differIn(one, other, `${path}.${name}`, comparison);
      return isOpen(name) ? [] : [`${path}.${name}: only the ${one === undefined ? "model" : "mock"} has it`];
    });
  }
  if (Array.isArray(mock) && Array.isArray(model)) {
    if (mock.length !== model.length) return [`${path}: ${mock.length} elements, model ${model.length}`];
    return mock.flatMap((value: Json, index) =>
      differIn(value, model[index] as Json, `${path}.${index}`, comparison),
    );
  }
  const areStrings = typeof mock === "string" && typeof model === "string";
  const isSeeded = (value: Json): boolean => seeded.includes(JSON.stringify(value));
  const isGenerated = areStrings && !(isSeeded(mock) && isSeeded(model));
  if (mock === model || isSame(mock, model)) return [];
  // the cursors of stores are external IDs
  if (
    isGenerated &&
    (path.startsWith("stores") ? /(?:Id|loginCode)$/ : /(?:id|Id|ursor|loginCode)$/).test(path)
  )
    return [];
  return [`${path}: ${JSON.stringify(mock)}, model ${JSON.stringify(model)}`];
}

/** One rounds the rates, and writes milliseconds that are zero. */
function isSame(mock: Json, model: Json): boolean {
  if (typeof mock === "number" && typeof model === "number") return Math.abs(mock - model) < 0.006;
  return typeof mock === "string" && typeof model === "string" && Date.parse(mock) === Date.parse(model);
}
