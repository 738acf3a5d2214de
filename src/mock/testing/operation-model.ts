import { describeKnownNames } from "../../wire/similar-name.ts";

/** Throws for an unknown operation. The error lists the known ones. */
export function assertOperation(operation: string, known: readonly string[]): void {
  if (known.includes(operation)) return;
  throw new Error(`Unknown operation "${operation}"${describeKnownNames(operation, known)}`);
}

/** The parts of an operation that a matcher may name. */
export interface OperationFacts {
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly takesBody: boolean;
  /** Whether the response is a page of a list. */
  readonly isList: boolean;
}

export interface OperationModel {
  readonly names: readonly string[];
  facts(operation: string): OperationFacts;
}

export const EVERY_OPERATION = "*";

/** Returns the model of one operation, or that of all operations together. Throws for an unknown operation. */
export function factsOf(model: OperationModel, operation: string): OperationFacts {
  if (operation !== EVERY_OPERATION) {
    assertOperation(operation, model.names);
    return model.facts(operation);
  }
  const all = model.names.map((name) => model.facts(name));
  return {
    pathParameters: [...new Set(all.flatMap(({ pathParameters }) => pathParameters))],
    queryParameters: [...new Set(all.flatMap(({ queryParameters }) => queryParameters))],
    takesBody: true,
    isList: true,
  };
}
