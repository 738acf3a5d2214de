// A worker: node main.ts, with the variables of README.md.
import { readSettings } from "./settings.ts";
import { startWorker } from "./worker.ts";

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`the environment variable ${name} is not set`);
  return value;
};

const services = {
  store: { baseUrl: required("SHELFLEET_STORE_URL"), token: required("SHELFLEET_TOKEN") },
  fleet: { baseUrl: required("SHELFLEET_FLEET_URL"), key: required("SHELFLEET_KEY") },
};
const worker = await startWorker(services, readSettings(process.env), (line) =>
  console.log(`${new Date().toISOString()} ${line}`),
);

/** The time for jobs in progress to end. After it, other workers continue them. */
const patience = 10_000;

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    setTimeout(() => process.exit(), patience).unref();
    void worker.close();
  });
