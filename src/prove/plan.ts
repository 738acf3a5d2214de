import type { Row } from "./row.ts";
import type { Family } from "./rows/index.ts";
import type { Task } from "./task.ts";
import type { TaskName } from "./tasks/index.ts";

/** A line of a table with one of its tasks. */
export interface Plan extends Row {
  readonly api: "store" | "fleet";
  /** The task and the event. */
  readonly name: string;
  readonly event: string;
  readonly family: Family;
  readonly taskName: TaskName;
  readonly task: Task;
}
