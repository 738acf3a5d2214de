import type { PlotOptions } from "@observablehq/plot";
import { useEffect, useState } from "preact/hooks";
import { CodeView } from "../calls/code-view.tsx";
import { fillRateCode } from "../code.ts";
import { ChartHead } from "./chart-head.tsx";
import { isDark } from "./dark.ts";
import { type DayRate, days, readFillRates } from "./fill-rates.ts";
import { useLoaded } from "./loaded.ts";
import { PlotFigure } from "./plot-figure.tsx";

const NONE: DayRate[] = [];

/** The fill rates of the displays by store and day. */
export function FillRateView() {
  const loaded = useLoaded(readFillRates);
  const rates = loaded.data ?? NONE;
  const options = useDrawing(rates);
  return (
    <>
      <ChartHead
        title="Fill rates by store and day"
        text="The mean fill rate of the completed photos of each day, in percent. Days without such photos have no cell."
        loaded={loaded}
      />
      {options !== null && rates.length > 0 && (
        <>
          <PlotFigure options={options} summary={summaryOf(rates)} />
          <RateTable rates={rates} />
        </>
      )}
      <CodeView code={fillRateCode()} />
    </>
  );
}

/** Imports the module on first use, because it loads the plotting library. */
function useDrawing(rates: DayRate[]): PlotOptions | null {
  const onDark = isDark.value;
  const [options, setOptions] = useState<PlotOptions | null>(null);
  useEffect(() => {
    if (rates.length === 0) setOptions(null);
    else void import("./heat-map.ts").then(({ heatMap }) => setOptions(heatMap(rates, onDark)));
  }, [rates, onDark]);
  return options;
}

function summaryOf(rates: readonly DayRate[]): string {
  const highest = rates.reduce((best, rate) => (rate.rate > best.rate ? rate : best));
  const lowest = rates.reduce((worst, rate) => (rate.rate < worst.rate ? rate : worst));
  const stores = new Set(rates.map(({ store }) => store)).size;
  return `Heat map of the fill rates of ${stores} stores on ${days.length} days: ${rates.length} days with photos, lowest ${say(lowest)}, highest ${say(highest)}.`;
}

function say({ rate, store, day }: DayRate): string {
  return `${rate.toFixed(1)} in ${store} on ${day}`;
}

function RateTable({ rates }: { rates: readonly DayRate[] }) {
  const byStore = Map.groupBy(rates, ({ store }) => store);
  return (
    <details>
      <summary>Show as a table</summary>
      <div class="scrolled" tabIndex={0} role="region" aria-label="Fill rates by store and day, as a table">
        <table class="rates">
          <thead>
            <tr>
              <th scope="col">Store</th>
              {days.map((day) => (
                <th scope="col" key={day}>
                  {day.slice(5)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...byStore].map(([store, own]) => (
              <tr key={store}>
                <th scope="row">{store}</th>
                {days.map((day) => (
                  <td class="number" key={day}>
                    {own.find((rate) => rate.day === day)?.rate.toFixed(0) ?? ""}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
