#!/usr/bin/env node
import { findSimilar } from "../wire/names.ts";
import { version } from "../wire/version.ts";
import { CommandError, describeFailure, print, printError, watchOutput } from "./output.ts";

/** The output of `shelfleet --help`. */
const help = `Usage: shelfleet <command>

  mock        runs the reference server of both APIs; see shelfleet mock --help
  doctor      checks a live service against the contract with GETs; see shelfleet doctor --help
  prove       runs a program in many worlds in which something goes wrong; see shelfleet prove --help
  --version   prints the version
  --help      prints this`;

const commands = {
  mock: async (args: string[]): Promise<void> => (await import("./mock.ts")).runMock(args),
  doctor: async (args: string[]): Promise<void> => {
    process.exitCode = await (await import("./doctor.ts")).runDoctor(args);
  },
  prove: async (args: string[]): Promise<void> => {
    process.exitCode = await (await import("./prove.ts")).runProve(args);
  },
};

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
    throw new CommandError(`shelfleet needs Node 22.12 or later, and this is ${process.version}`);
  const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);
  if (isCommand(command)) await commands[command](args);
  else if (command === "help" && args[0] !== undefined && isCommand(args[0]))
    await commands[args[0]](["--help"]);
  else if (["help", "--help", "-h"].includes(command)) print(help);
  else if (["--version", "-v"].includes(command)) print(version);
  else {
    const similar = findSimilar(command, Object.keys(commands));
    const hint = similar === undefined ? "" : ` (did you mean ${similar}?)`;
    throw new CommandError(`Unknown command "${command}"${hint}; see shelfleet --help`);
  }
}
