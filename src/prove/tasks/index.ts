import type { JsonObject } from "../../wire/json.ts";
import { fleetTasks } from "./fleet.ts";
import { storeTasks } from "./store.ts";

/** All tasks. The part of a name before the first hyphen is what `--tasks` selects as a group. */
export const tasks = { ...storeTasks, ...fleetTasks };

/** The name of a task. */
export type TaskName = keyof typeof tasks;

/** Returns the API of a task. */
export function apiOf(task: TaskName): "store" | "fleet" {
  return Object.hasOwn(storeTasks, task) ? "store" : "fleet";
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
