import { count } from "./progress.ts";

export interface Totals {
  stores: number;
  protocols: number;
  fleet: number;
}

export interface Run extends Totals {
  deleted: number;
  requests: number;
  retries: number;
  seconds: number;
}

/** Rows a second, of all tables. */
export function rate({ stores, protocols, fleet }: Totals, seconds: number): number {
  return seconds === 0 ? 0 : Math.round((stores + protocols + fleet) / seconds);
}

/** The table at the end: what this run did, and what the file holds. */
export function summary(run: Run, file: Totals): string {
  const rows = [
    ["", "this run", "in the file"],
    ["stores", count(run.stores), count(file.stores)],
    ["protocols", count(run.protocols), count(file.protocols)],
    ["fleet", count(run.fleet), count(file.fleet)],
    ["deleted", count(run.deleted), ""],
    ["requests", count(run.requests), ""],
    ["retries", count(run.retries), ""],
    ["seconds", run.seconds.toFixed(2), ""],
    ["rows/s", count(rate(run, run.seconds)), ""],
  ];
  return rows.map(aligned).join("\n");
}

function aligned([name = "", ...values]: string[]): string {
  return `${name.padEnd(10)}${values.map((value) => value.padStart(13)).join("")}`.trimEnd();
}
