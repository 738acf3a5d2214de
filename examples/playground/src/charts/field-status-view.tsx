import type { PlotOptions } from "@observablehq/plot";
import { useEffect, useState } from "preact/hooks";
import { CodeView } from "../calls/code-view.tsx";
import { fieldStatusCode } from "../code.ts";
import { ChartHead } from "./chart-head.tsx";
import { type FieldStatusCell, readFieldStatuses, statuses } from "./field-statuses.ts";
import { useLoaded } from "./loaded.ts";
import { PlotFigure } from "./plot-figure.tsx";

const NONE: FieldStatusCell[] = [];

/** The status of each vehicle for each custom field. */
export function FieldStatusView() {
  const loaded = useLoaded(readFieldStatuses);
  const cells = loaded.data ?? NONE;
  const options = useDrawing(cells);
  return (
    <>
      <ChartHead
        title="Field statuses of the vehicles"
        text="The status of the latest response of each vehicle for each custom field."
        loaded={loaded}
      />
      {options !== null && cells.length > 0 && (
        <>
          <PlotFigure options={options} summary={summaryOf(cells)} />
          <StatusTable cells={cells} />
        </>
      )}
      <CodeView code={fieldStatusCode()} />
    </>
  );
}

function useDrawing(cells: FieldStatusCell[]): PlotOptions | null {
  const [options, setOptions] = useState<PlotOptions | null>(null);
  useEffect(() => {
    if (cells.length === 0) setOptions(null);
    else void import("./status-map.ts").then(({ statusMap }) => setOptions(statusMap(cells)));
  }, [cells]);
  return options;
}

function summaryOf(cells: readonly FieldStatusCell[]): string {
  const counts = statuses.map((status) => `${count(cells, status)} ${status}`).join(", ");
  return `Map of ${cells.length} statuses by vehicle and field: ${counts}.`;
}

function count(cells: readonly FieldStatusCell[], status: string): number {
  return cells.filter((cell) => cell.status === status).length;
}

function StatusTable({ cells }: { cells: readonly FieldStatusCell[] }) {
  const byField = Map.groupBy(cells, ({ field }) => field);
  return (
    <table class="statuses" data-testid="statuses">
      <caption>Vehicles by field and status</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {statuses.map((status) => (
            <th scope="col" key={status}>
              {status}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...byField].map(([field, own]) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            {statuses.map((status) => (
              <td class="number" key={status}>
                {count(own, status)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
