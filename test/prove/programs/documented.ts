import type { DatabaseSync } from "node:sqlite";
import type {
  ContactInput,
  DamageInput,
  ExpositionInput,
  FleetClient,
  InspectionInput,
  StoreClient,
  VehicleInput,
} from "../../../src/index.ts";
import type { TaskName } from "../../../src/prove/index.ts";
import type { DesiredStore } from "../../../src/sync/index.ts";
import type { Job, Row } from "./job.ts";

// A program of documented lines. Lines between `// from DOCUMENT` and `// end` are in a block of that document word for
// word, except that `where A is B` gives A another value, such as the data of the task. test/prove/documented.test.ts
// compares them, and allows no loop, no catch and no call of the package anywhere else.

/** The data of all tasks; each task has some of it. */
export interface Data {
  readonly from: string;
  readonly to: string;
  readonly externalId: string;
  readonly status?: string;
  readonly isActive?: boolean;
  readonly stores: readonly DesiredStore[];
  readonly contact: ContactInput;
  readonly expositions: readonly ExpositionInput[];
  readonly expositionId: string;
  readonly label: string;
  readonly damages: readonly DamageInput[];
  readonly inspections: readonly InspectionInput[];
  readonly vehicles: readonly VehicleInput[];
  readonly ids: readonly string[];
}

/** What the lines of a document use besides the clients: the data, a database, and the reader's own functions. */
export interface Given {
  readonly data: Data;
  readonly db: DatabaseSync;
  readonly readPlace: () => Promise<string | undefined>;
  readonly savePlace: (place: string) => Promise<void>;
  /** Takes those of the copied rows that the task wants. */
  readonly deliver: (rows: Iterable<object>, isWanted?: (row: Row) => boolean) => void;
  /** Takes rows that a job has saved as JSON. */
  readonly deliverSaved: (rows: readonly unknown[], isWanted?: (row: Row) => boolean) => void;
  /** Takes all rows of a table. */
  readonly deliverTable: (table: string, isWanted?: (row: Row) => boolean) => void;
  /** Takes the rows of the task's store, of a table with those of all stores. */
  readonly deliverStore: (table: string, isWanted?: (row: Row) => boolean) => void;
}

/** The clients of the package: a caller may have another copy of it. */
export type Package = Readonly<{ StoreClient: typeof StoreClient; FleetClient: typeof FleetClient }>;

/** The lines for each task of which the documents have one. */
export type Lines<Clients> = Partial<Record<TaskName, (given: Clients & Given) => Promise<void>>>;

/** Does a task with the lines for it. A task that writes holds the lock that the guides and the skill ask for (`flock -n`). */
export async function runLines<Clients>(job: Job, clients: Clients, lines: Lines<Clients>): Promise<void> {
  const { task, memory } = job;
  const db = job.openDatabase();
  const given: Given = {
    data: task.data as object as Data, // the task has what its name says
    db,
    readPlace: async () => memory.get("place") as string | undefined, // as it was saved
    savePlace: async (place) => memory.set("place", place),
    deliver: (rows, isWanted = () => true) => job.deliver([...rows].filter((row) => isWanted(row as Row))), // has names
    deliverSaved(rows, isWanted) {
      const saved = rows as readonly { data: string }[]; // as the sinks save them
      given.deliver(
        saved.map(({ data }) => JSON.parse(data) as Row),
        isWanted,
      );
    },
    deliverTable: (table, isWanted) =>
      given.deliverSaved(db.prepare(`SELECT data FROM "${table}"`).all(), isWanted),
    deliverStore(table, isWanted) {
      const rows = db.prepare(`SELECT data FROM "${table}" WHERE id LIKE ? || '/%'`);
      given.deliverSaved(rows.all(given.data.externalId), isWanted);
    },
  };
  const run = lines[task.name];
  if (run === undefined) throw new Error(`no document has a line for ${task.name}`);
  const work = () => run({ ...clients, ...given });
  await (task.name.startsWith("copy-") ? work() : job.exclusively(work));
}

/** Whether a row was created in the range of the task, and has the status that the task asks for. */
export function isWantedBy({ from, to, status }: Data): (row: Row) => boolean {
  return (row) => {
    const time = Date.parse(String(row["createdAt"]));
    const isInRange = time >= Date.parse(from) && time < Date.parse(to);
    return isInRange && row["status"] === (status ?? row["status"]);
  };
}
