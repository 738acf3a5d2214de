import type { OperationRow, RetryClass } from "./operation.ts";

type Operations<Rows> = {
  readonly [Id in keyof Rows]: Rows[Id] & { readonly id: Id; readonly retry: RetryClass };
};

const idempotentMethods = /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/;

/** Returns whether a request with a method may be sent again. */
export function retryClassOf(method: string): RetryClass {
  return idempotentMethods.test(method) ? "idempotent" : "only-if-rejected";
}

/** Adds what follows from the ID and the method to each row of a table, so that a client does not download it. */
export function toOperations<Rows extends Readonly<Record<string, OperationRow>>>(
  rows: Rows,
): Operations<Rows> {
  const entries = Object.entries(rows).map(([id, row]) => [
    id,
    { id, ...row, retry: retryClassOf(row.method) },
  ]);
  return Object.fromEntries(entries) as Operations<Rows>; // `entries` has the keys of the rows
}
