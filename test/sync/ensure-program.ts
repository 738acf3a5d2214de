// Reports one damage, as a user writes it.
import { DatabaseSync } from "node:sqlite";
import { FleetClient } from "../../src/index.ts";
import { ensure, sqliteSink } from "../../src/sync/index.ts";

const [, , file = "", baseUrl = "", key = ""] = process.argv;
const fleet = new FleetClient({ baseUrl, key });
const db = new DatabaseSync(file);
db.exec("PRAGMA busy_timeout = 5000");
const sink = sqliteSink(db, "reported");
await ensure(fleet.damages, [{ description: "D-1: scratch" }], { key: "description", sink, update: false });
