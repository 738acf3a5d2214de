/** The tasks, by the APIs that they use. The part before the first hyphen is what `--tasks` selects as a group. */
export const taskNames = {
  store: [
    "copy-stores",
    "copy-protocols",
    "copy-photos",
    "copy-fill-rates",
    "change-stores",
    "create-stores",
    "add-contact",
    "add-expositions",
    "change-exposition",
  ],
  fleet: [
    "copy-vehicles",
    "copy-damages",
    "copy-templates",
    "report-damages",
    "submit-inspections",
    "change-vehicles",
    "change-inspections",
    "delete-damages",
    "delete-oldest-damage",
  ],
} as const;

/** The name of a task. */
export type TaskName = (typeof taskNames)["store" | "fleet"][number];
