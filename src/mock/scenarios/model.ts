import type { JsonObject } from "../../wire/json.ts";
import type { OperationId } from "../server/operations.ts";
import type { ReferenceServerOptions } from "../server/options.ts";
import type { ReferenceState } from "../reference-server.ts";
import type { CauseId } from "./causes.ts";
import type { Fault } from "./faults.ts";
import type { TaskName } from "./tasks/names.ts";

/** The groups of scenarios, in the order of the documentation. */
export const families = [
  "plain",
  "lists",
  "readings",
  "networks",
  "limits",
  "credentials",
  "writes",
  "data",
  "stops",
] as const;

/** A group of scenarios. */
export type Family = (typeof families)[number];

/** A task, as a program receives it. */
export interface TaskInput {
  readonly name: TaskName;
  readonly api: "store" | "fleet";
  /** The task in words. */
  readonly words: string;
  /** The task as data: what to copy, or what to write. */
  readonly data: JsonObject;
}

/** A row that a copy must contain. */
export interface ExpectedRow {
  /** The ID by which a delivered row is recognized. */
  readonly id: string;
  readonly values: JsonObject;
}

/** A task, and how its result is judged. */
export interface Task extends TaskInput {
  /** The operation that the faults of a scenario affect by default. */
  readonly operation: OperationId;
  readonly world: ReferenceServerOptions;
  readonly goal: CopyGoal | WriteGoal;
}

/** The program delivers rows. */
export interface CopyGoal {
  readonly kind: "copy";
  /** Returns the rows that a correct copy of a state contains. */
  rows(state: ReferenceState, data: JsonObject): ExpectedRow[];
}

/** The program changes the data of the server. */
export interface WriteGoal {
  readonly kind: "write";
  /** Changes a state as a correct program does. */
  apply(state: ReferenceState, data: JsonObject): void;
}

export type Runs =
  | { readonly kind: "once" }
  /** A second run follows: always, or only if the first one failed. */
  | { readonly kind: "again"; readonly when: "always" | "failed" }
  | { readonly kind: "together" }
  /** The first run is killed while it waits for the response to this request of the task's operation, then a second follows. */
  | { readonly kind: "killed"; readonly atRequest: number };

/** One line of a table of scenarios: a fault, and the tasks that it is tried on. */
interface ScenarioRow {
  readonly tasks: readonly Task[];
  /** The reason that this happens in production. */
  readonly why: string;
  /** The most likely origin of a wrong result. */
  readonly cause: CauseId;
  readonly faults?: readonly Fault[];
  readonly world?: ReferenceServerOptions;
  /** Replaces properties of the task's data. */
  readonly data?: JsonObject;
  /** Replaces values of the expected rows, if the service shows other ones than it stores. */
  readonly expected?: JsonObject;
  readonly runs?: Runs;
  /** Whether a program can get the right result, so that a stop earns a warning. */
  readonly isSolvable?: boolean;
  /** The reason that no program can do wrong here. Such a scenario does not count. */
  readonly cannotDiffer?: string;
  /** The status that the program must have met, where no fault tells it. Default: any, of the task's operation. */
  readonly reached?: number;
}

/** A table of scenarios, by their names. */
export type ScenarioRows = Readonly<Record<string, ScenarioRow>>;

export interface ScenarioPlan extends Omit<ScenarioRow, "tasks" | "runs" | "faults"> {
  readonly name: string;
  readonly family: Family;
  readonly task: Task;
  readonly runs: Runs;
  readonly faults: readonly Fault[];
}
