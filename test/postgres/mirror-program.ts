// A program that mirrors a fleet, until a test kills it.
import { Pool } from "pg";
import { mirror, postgresSink } from "../../src/sync/index.ts";
import { changedFleet } from "./fleet.ts";

const pool = new Pool({ connectionString: process.argv[2] });
await mirror(changedFleet(6).fleet.vehicles, postgresSink(pool, "vehicles"), { query: { limit: 2 } });
await pool.end();
