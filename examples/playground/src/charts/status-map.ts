import { cell, type PlotOptions, text } from "@observablehq/plot";
import { type FieldStatusCell, statuses } from "./field-statuses.ts";

/** Each status also has a symbol, because many people cannot distinguish the colors. */
const SYMBOLS: Record<string, string> = { OK: "", WARNING: "!", NOT_OK: "✕", none: "?" };

/** A cell for each field and vehicle. */
export function statusMap(cells: FieldStatusCell[]): PlotOptions {
  const fields = [...new Set(cells.map(({ field }) => field))];
  const vehicles = [...new Set(cells.map(({ vehicle }) => vehicle))].toSorted();
  return {
    width: 860,
    height: 110 + fields.length * 32,
    marginLeft: 84,
    marginBottom: 64,
    padding: 0.08,
    x: { domain: vehicles, label: null, tickRotate: -60, tickSize: 0 },
    y: { domain: fields, label: "Field", labelAnchor: "top", tickSize: 0 },
    color: { domain: [...statuses], range: ["#2f9e77", "#e0a526", "#c8413b", "#9aa3ad"], legend: true },
    marks: [
      cell(cells, {
        x: "vehicle",
        y: "field",
        fill: "status",
        tip: true,
        channels: { Response: "value" },
      }),
      text(cells, {
        x: "vehicle",
        y: "field",
        text: ({ status }: FieldStatusCell) => SYMBOLS[status] ?? status,
        fill: "black",
        fontWeight: 700,
      }),
    ],
  };
}
