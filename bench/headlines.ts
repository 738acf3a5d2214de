import { isOurs } from "./contenders.ts";
import { type JsonRow, type Result, rowOf } from "./result.ts";
import { planOf } from "./rows/table.ts";
import { type Verdict, verdict } from "./statistics.ts";

/** The rows that matter to users, for bench/README.md and the plot. */
const titles: Record<string, string> = {
  "call-stub": "One call, without network",
  "call-loopback": "One call over loopback HTTP",
  "first-call": "Import and first call",
  "walk-million": "Iterating 1 000 000 stores, stub",
  "walk-cursor": "100 cursor pages, slow consumer",
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
  /** The median of shelfleet. */
  own: number;
  others: Other[];
}

export interface Other {
  name: string;
  median: number;
  /** The factor by which the median of shelfleet is better than the contender's, with the ends of its spread. */
  ahead: number;
  low: number;
  high: number;
  verdict: Verdict;
}

/** Throws if a row was not measured. */
export function headlines(result: Result): Headline[] {
  return Object.entries(titles).map(([id, title]) => headline(rowOf(result, id), title));
}

function headline({ id, unit, target, met, contenders }: JsonRow, title: string): Headline {
  const { ours, better } = planOf(id);
  const own = contenders[ours]?.median;
  if (own === undefined) throw new Error(`the row ${id} lacks ${ours}`);
  const others = Object.entries(contenders).filter(([name]) => name !== ours);
  const ahead = (value: number): number => (better === "less" ? value / own : own / value);
  return {
    id,
    unit,
    target,
    met,
    title,
    own,
    others: others.map(([name, { median, min, max }]) => {
      const [low, high] = better === "less" ? [ahead(min), ahead(max)] : [ahead(max), ahead(min)];
      const comparison = isOurs(name) ? "" : verdict(median / own, better);
      return { name, median, ahead: ahead(median), low, high, verdict: comparison };
    }),
  };
}
