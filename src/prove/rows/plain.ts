import { type Rows, row } from "../model.ts";
import { namesOf } from "../../wire/names.ts";
import { tasks } from "../tasks/index.ts";

/** Every task in a world without faults: a failure here is not about robustness. */
export const plainRows: Rows = {
  "no-fault": row(namesOf(tasks), "basics", {
    why: "Most days nothing happens: the lists have several pages, and everything works.",
  }),
};
