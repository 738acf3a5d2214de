#!/usr/bin/env node
import { version } from "../wire/version.ts";
import { describeFailure, printError, printText, StartError, UsageError, watchOutput } from "./output.ts";

/** The output of `shelfleet --help`. */
const help = `Usage: shelfleet <command>

  mock        runs the reference server of both APIs; see shelfleet mock --help
  doctor      checks a live service against the contract with GETs; see shelfleet doctor --help
  prove       runs a program in many worlds in which something goes wrong; see shelfleet prove --help
  --version   prints the version
  --help      prints this`;

watchOutput();
try {
  await run(process.argv.slice(2));
} catch (error) {
  const { lines, exitCode } = describeFailure(error);
  for (const line of lines) printError(line);
  process.exit(exitCode); // a server that was started would keep the process alive
}

/** Runs a command. Only its code is loaded, because loading all commands takes 0.2 s. */
async function run([command = "--help", ...args]: string[]): Promise<void> {
  // npx only warns, and Node 20 is still the node of many machines
  if (!("groupBy" in Map))
    throw new StartError(`shelfleet needs Node 22.12 or later, and this is ${process.version}`);
  if (command === "mock") {
    const { runMock } = await import("./mock.ts");
    await runMock(args, process.env);
  } else if (command === "doctor") {
    const { runDoctor } = await import("../doctor/doctor.ts");
    process.exitCode = await runDoctor(args);
  } else if (command === "prove") {
    const { runProve } = await import("../prove/command.ts");
    process.exitCode = await runProve(args);
  } else if (command === "--help" || command === "-h") printText(help);
  else if (command === "--version" || command === "-v") printText(version);
  else throw new UsageError(`Unknown command "${command}"; see shelfleet --help`);
}
