import { cell, type PlotOptions } from "@observablehq/plot";
import { type DayRate, days } from "./fill-rates.ts";

/** S-2 before S-10. */
function byNumber(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/** A cell for each store and day. Full shelves contrast with the background. */
export function heatMap(rates: DayRate[], onDark: boolean): PlotOptions {
  const stores = [...new Set(rates.map(({ store }) => store))].toSorted(byNumber);
  return {
    width: 860,
    height: 68 + stores.length * 20,
    marginLeft: 48,
    marginBottom: 44,
    padding: 0.06,
    x: {
      domain: days,
      label: "Day of January",
      tickFormat: (day: string) => String(Number(day.slice(8))),
      tickSize: 0,
    },
    y: { domain: stores, label: "Store", labelAnchor: "top", tickSize: 0 },
    color: {
      type: "linear",
      domain: [0, 100],
      scheme: "YlGnBu",
      reverse: onDark,
      label: "Fill rate, %",
      legend: true,
    },
    marks: [
      cell(rates, {
        x: "day",
        y: "store",
        fill: "rate",
        tip: true,
        channels: { Photos: "photos" },
      }),
    ],
  };
}
