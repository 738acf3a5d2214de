import type { Rows } from "../model.ts";
import { credentialRows } from "./credentials.ts";
import { dataRows } from "./data.ts";
import { limitRows } from "./limits.ts";
import { listRows } from "./lists.ts";
import { networkRows } from "./networks.ts";
import { plainRows } from "./plain.ts";
import { readingRows } from "./readings.ts";
import { stopRows } from "./stops.ts";
import { writeRows } from "./writes.ts";

/** All rows by their families, in the order of the documentation. */
export const table = {
  plain: plainRows,
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
