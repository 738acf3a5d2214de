import type { OperationId, ReadingsOption, ReferenceServerOptions, ReferenceState } from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Fault } from "./faults.ts";
import type { RightId } from "./right.ts";
import type { Family } from "./rows/index.ts";
import type { TaskName } from "./tasks/index.ts";

/** A task, and how its result is judged. */
export interface Task {
  /** The operation that the faults of a scenario affect by default. */
  readonly operation: OperationId;
  readonly words: string;
  /** What to copy or to write. The first of the `columns` of a copy is the ID of its rows. */
  readonly data: JsonObject;
  readonly seed: ReferenceServerOptions;
  /** Returns the rows that a correct copy of a state contains. */
  rows?(state: ReferenceState, data: JsonObject): Iterable<object>;
  /** Changes a state as a correct program does. */
  apply?(state: ReferenceState, data: JsonObject): void;
}

/** A task, as a program receives it. */
export interface TaskInput {
  readonly name: TaskName;
  readonly api: "store" | "fleet";
  /** The task in words. */
  readonly words: string;
  /** The task as data: what to copy, or what to write. */
  readonly data: JsonObject;
}

/** How often a program runs: a second time always or after a failure, at the same time, or after it was killed. */
export type Runs =
  | "twice"
  | "twice if it fails"
  | "together"
  /** It is killed while it waits for the response to this request of the task's operation. */
  | { readonly killedAt: number };

/** What goes wrong in a world, and what must be true in spite of it. */
export interface RowWorld {
  /** The reason that this happens in production. */
  readonly why: string;
  readonly faults?: readonly Fault[];
  readonly readings?: ReadingsOption;
  /** Other data of the server. */
  readonly seed?: ReferenceServerOptions;
  /** Replaces properties of the task's data. */
  readonly data?: JsonObject;
  /** Replaces values of the expected rows, if the service shows other ones than it stores. */
  readonly expected?: JsonObject;
  readonly runs?: Runs;
  /** The reason that no program can do wrong here. Such a scenario does not count. */
  readonly cannotDiffer?: string;
  /** The reason that no client can notice it: a wrong result is reported apart, and does not fail. */
  readonly unnoticeable?: string;
  /** Whether the service does the harm, so that a program can only tell it. */
  readonly isHarmOfService?: boolean;
  /** The status that the program must have met, where no fault tells it. Default: any, of the task's operation. */
  readonly reached?: number;
}

/** One line of a table of scenarios. */
export interface Row extends RowWorld {
  readonly tasks: readonly TaskName[];
  readonly right: RightId;
}

/** A table of scenarios, by their names. */
export type Rows = Readonly<Record<string, Row>>;

/** Makes a line of a table: the tasks that it is tried on, what would be right, and its world. */
export function row(tasks: readonly TaskName[], right: RightId, world: RowWorld): Row {
  return { tasks, right, ...world };
}

/** A line of a table with one of its tasks. */
export interface Plan extends Row {
  readonly api: "store" | "fleet";
  readonly name: string;
  readonly family: Family;
  readonly taskName: TaskName;
  readonly task: Task;
}
