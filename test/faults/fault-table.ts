import type { Reporter, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** The name of the fault, in the table's first column. */
    fault?: string;
    /** One row of the table: the outcome of the fault for each class of operation. */
    faultRow?: Record<string, string>;
  }
}

/** Prints the faults with their outcomes. */
export class FaultTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const rows = tests.flatMap((test): [string, Record<string, string>][] => {
      const { fault = test.name, faultRow } = test.meta();
      return faultRow === undefined ? [] : [[fault, faultRow]];
    });
    const columns = Object.keys(rows[0]?.[1] ?? {});
    if (columns.length === 0) return;
    const cells = [
      ["fault", ...columns],
      ...rows.map(([name, row]) => [name, ...columns.map((one) => row[one] ?? "")]),
    ];
    const widths = cells[0]?.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0))) ?? [];
    const lines = cells.map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
    process.stdout.write(
      `${lines.join("\n")}\n\nEach cell: the fault in every response / the fault in one response; result × requests. ` +
        "C ConnectionError, T TimeoutError, U UnexpectedResponseError, A the API's own error.\n",
    );
  }
}
