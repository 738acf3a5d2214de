import { parseArgs } from "node:util";
import { commands, exitCodeOf, exitCodes, flags } from "./commands.ts";
import { describeError } from "./failure.ts";
import { Log } from "./log.ts";
import { checkRedis } from "./queue.ts";
import { demoEnv, readSettings, SettingsError } from "./settings.ts";

const usage = `node main.ts <command> [--demo]

  sync [--workers <n>] [--every <s>]  begins a run, or resumes the unfinished one, with n workers of this machine
                                      (default 4); --every begins a run every s seconds (0: no more) and shows none
  backfill --from <t> --to <t>        copies a time range of all stores again, with n workers of this machine
  worker [--forever]                  one worker; it ends with the run, or never
  watch                               shows the progress of the run
  board                               starts bull-board for a browser
  dead [<store>] [--retry]            lists the dead letters of all runs; --retry schedules them again
  skip <store> [--undo]               excludes a store from all runs, or includes it again
  abandon                             ends the unfinished run as it is

--demo uses the servers of npm run up. Exit codes: 0 finished, 1 failed, 2 wrong usage or settings, 3 finished with dead
letters or deleted stores that the list still has, 4 stopped, 5 interrupted, 6 Redis or PostgreSQL not reachable.`;

/** The time in ms to return jobs to the queue. After that, other workers take them when their locks expire. */
const patience = 10_000;

const interrupted = new AbortController();
// if the parent process ends, its workers also end
for (const event of ["SIGINT", "SIGTERM", "disconnect"]) process.once(event, interrupt);
process.channel?.unref();

function interrupt(): void {
  interrupted.abort();
  setTimeout(() => process.exit(exitCodes.interrupted), patience).unref();
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOf(error);
  console.error(`sync-cluster: ${describeError(error)}`);
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  const [name = "", subject] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(usage);
    return exitCodes.usage;
  }
  if (values.demo) Object.assign(process.env, demoEnv); // its workers inherit it
  const settings = readSettings(process.env);
  await checkRedis(settings.redisUrl);
  const log = new Log(process.env["SYNC_LOG_LEVEL"] ?? "warn");
  const context = { settings, log, print, printError: printProblem, signal: interrupted.signal };
  return command({ ...context, output: process.stdout, env: process.env }, values, subject);
}

function print(line: string): void {
  console.log(line);
}

function printProblem(line: string): void {
  console.error(`sync-cluster: ${line}`);
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: flags });
  } catch (error) {
    throw new SettingsError(describeError(error));
  }
}
