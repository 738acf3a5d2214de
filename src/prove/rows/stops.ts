import { type Rows, row } from "../model.ts";

const COPIES = ["copy-stores", "copy-protocols", "copy-vehicles"] as const;

export const stopRows: Rows = {
  "killed-at-the-first-request": row(
    ["report-damages", "add-expositions", "add-contact"],
    "find-what-is-done",
    {
      why: "The machine is restarted when the program has just begun, and the program starts again.",
      runs: { killedAt: 1 },
    },
  ),
  "killed-at-the-second-request": row([...COPIES, "report-damages", "submit-inspections"], "save-together", {
    why: "The machine is restarted while the program works, and the program starts again.",
    runs: { killedAt: 2 },
  }),
  "killed-at-the-third-request": row([...COPIES, "report-damages"], "save-together", {
    why: "The machine is restarted late in the work of the program, and the program starts again.",
    runs: { killedAt: 3 },
  }),
  "killed-while-it-deletes": row(["delete-oldest-damage"], "remember-writes", {
    why: "The machine is restarted when the DELETE is executed, and the next run looks for the oldest damage again.",
    runs: { killedAt: 1 },
  }),
};
