import { isOurs } from "./contenders.ts";
import { type JsonRow, type Result, rowOf } from "./result.ts";
import { planOf } from "./rows/table.ts";
import { type Verdict, verdict } from "./statistics.ts";

/** The lines that matter to a user, for README and the plot. */
const titles: Record<string, string> = {
  "call-stub": "A call, the network apart",
  "call-loopback": "A call over loopback HTTP",
  "first-call": "Import and first call",
  "walk-million": "A walk of 1 000 000 stores, stub",
  "walk-cursor": "100 cursor pages, busy consumer",
  "walk-numbered": "100 numbered pages",
  "bundle-client": "Bundle of one client, gzipped",
  types: "Type instantiations, all operations",
  editor: "Editor: completions in a new file",
  "server-get": "Reference server: GET one store",
  "server-list": "Reference server: list of 100",
  "server-start": "Reference server: start",
  "in-process": "Reference server in process",
};

export interface Headline extends Pick<JsonRow, "id" | "unit" | "target" | "met"> {
  title: string;
  better: "less" | "more";
  own: number;
  others: Other[];
}

export interface Other {
  name: string;
  median: number;
  min: number;
  max: number;
  /** How many times ours. */
  ratio: number;
  verdict: Verdict;
}

/** Throws where one of them was not measured. */
export function headlines(result: Result): Headline[] {
  return Object.entries(titles).map(([id, title]) => headline(rowOf(result, id), title));
}

function headline({ id, unit, target, met, contenders }: JsonRow, title: string): Headline {
  const { ours, better } = planOf(id);
  const own = contenders[ours]?.median;
  if (own === undefined) throw new Error(`the row ${id} lacks ${ours}`);
  const others = Object.entries(contenders).filter(([name]) => name !== ours);
  return {
    id,
    unit,
    target,
    met,
    title,
    better,
    own,
    others: others.map(([name, spread]) => {
      const ratio = spread.median / own;
      return { name, ...spread, ratio, verdict: isOurs(name) ? "" : verdict(ratio, better) };
    }),
  };
}
