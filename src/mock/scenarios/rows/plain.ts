import type { ScenarioRow } from "../model.ts";
import * as copies from "../tasks/copies.ts";
import * as writes from "../tasks/writes.ts";

/** Every task in a world without faults: what fails here is no question of robustness. */
export const plainRows: readonly ScenarioRow[] = [
  {
    name: "no-fault",
    tasks: [...Object.values(copies), ...Object.values(writes)].filter(
      (value) => typeof value === "object" && "goal" in value,
    ),
    why: "Most days nothing happens: the lists have several pages, and everything works.",
    cause: "basics",
    isSolvable: true,
  },
];
