import { namesOf } from "../../wire/names.ts";
import { type Rows, row } from "../row.ts";
import { tasks } from "../tasks/index.ts";
import { dataRows } from "./data.ts";
import { listRows } from "./lists.ts";
import { networkRows } from "./networks.ts";
import { readingRows } from "./readings.ts";
import { credentialRows, limitRows } from "./refusals.ts";
import { stopRows, writeRows } from "./writes.ts";

/** All rows by their families, in the order of the documentation. */
export const table = {
  // every task in a world without faults: a failure here is not about robustness
  plain: {
    "no-fault": row(namesOf(tasks), "basics", {
      why: "Most days nothing happens: the lists have several pages, and everything works.",
    }),
  },
  lists: listRows,
  readings: readingRows,
  networks: networkRows,
  limits: limitRows,
  credentials: credentialRows,
  writes: writeRows,
  data: dataRows,
  stops: stopRows,
} as const satisfies Readonly<Record<string, Rows>>;

/** A group of scenarios. */
export type Family = keyof typeof table;
