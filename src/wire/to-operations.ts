import type { OperationRow, RetryClass } from "./operation.ts";

type Operations<Rows> = {
  readonly [Id in keyof Rows]: Rows[Id] & { readonly id: Id; readonly retry: RetryClass };
};

/** Adds what follows from the ID and the method to each row of a table, so that a client does not download it. */
export function toOperations<Rows extends Readonly<Record<string, OperationRow>>>(
  rows: Rows,
): Operations<Rows> {
  const entries = Object.entries(rows).map(([id, row]) => {
    const retry: RetryClass = /^(?:POST|PATCH)$/.test(row.method) ? "only-if-rejected" : "idempotent";
    return [id, { id, ...row, retry }];
  });
  return Object.fromEntries(entries) as Operations<Rows>; // `entries` has the keys of the rows
}
