import type { ReadingsOption, ReferenceServerOptions } from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Fault } from "./faults.ts";
import type { RightId } from "./right.ts";
import type { Task } from "./task.ts";
import type { TaskName } from "./tasks/index.ts";

/** A line of a table of scenarios: what goes wrong in a world, and what must be true in spite of it. */
export interface Row {
  /** The tasks that it is tried on. */
  readonly tasks: readonly TaskName[];
  /** What would be right. */
  readonly right: RightId;
  /** What would be right for a task that writes, if it is something else. */
  readonly rightOfWrites?: RightId;
  /** The reason that this happens in production. */
  readonly why: string;
  readonly fault?: Fault;
  readonly readings?: ReadingsOption;
  /** Other data of the server. */
  readonly seed?: ReferenceServerOptions;
  /** Replaces properties of the task's data. */
  readonly data?: JsonObject;
  /** Replaces values of the expected rows, if the service shows other ones than it stores. */
  readonly expected?: JsonObject;
  /**
   * How often a program runs: a second time always or after a failure, at the same time, or after it was killed while it
   * waited for the response to a request of the task's operation.
   */
  readonly runs?: "twice" | "twice if it fails" | "together" | { readonly killedAt: number };
  /** The reason that no client can notice it: a wrong result is reported apart, and does not fail. */
  readonly unnoticeable?: string;
  /** Whether the service does the harm, so that a program can only tell it. */
  readonly isHarmOfService?: boolean;
}

/** A table of scenarios, by their names. */
export type Rows = Readonly<Record<string, Row>>;

/** A group of scenarios. */
export type Family =
  | "plain"
  | "lists"
  | "readings"
  | "networks"
  | "limits"
  | "credentials"
  | "writes"
  | "data"
  | "stops";

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

/** Makes a line of a table: the tasks that it is tried on, what would be right, and its world. */
export function row(tasks: Row["tasks"], right: RightId, world: Omit<Row, "tasks" | "right">): Row {
  return { tasks, right, ...world };
}

/** Makes a line for a world in which one thing is unusual: a fault, or how the service reads the contract. */
export function eventRow(
  tasks: Row["tasks"],
  right: RightId,
  event: Fault | Pick<Row, "readings">,
  { why }: Pick<Row, "why">,
): Row {
  return { tasks, right, why, ...("arm" in event ? { fault: event } : event) };
}

/** How the service reads what the contract leaves open. */
export function reading<Gap extends keyof ReadingsOption>(gap: Gap, value: ReadingsOption[Gap]) {
  return { readings: { [gap]: value } };
}

/** Tasks that many rows are tried on. */
export const READS = ["copy-stores", "copy-vehicles"] as const;
export const PUTS = ["change-stores", "change-vehicles"] as const;
export const POSTS = ["report-damages", "submit-inspections"] as const;
