#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { describeFailure, printError, printText } from "./output.ts";
import { help, mockHelp, readCommandLine } from "./command-line.ts";
import { runMock } from "./mock.ts";
import { runCompare } from "./compare.ts";
import { runProbe } from "./probe.ts";
import { runProve } from "./prove/prove.ts";
import { runProxy } from "./proxy.ts";
import { waitForServer } from "./wait.ts";
import { objectOf } from "../wire/json.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  const { lines, exitCode } = describeFailure(error);
  for (const line of lines) printError(line);
  process.exit(exitCode); // a server that was started would keep the process alive
}

async function run(args: string[]): Promise<void> {
  const command = readCommandLine(args, process.env);
  switch (command.name) {
    case "help":
      printText(command.of === "mock" ? mockHelp : help);
      return;
    case "version":
      printText(version());
      return;
    case "mock":
      await runMock(command.settings);
      return;
    case "wait":
      await waitForServer(command.url, command.seconds);
      return;
    case "probe":
      process.exitCode = await runProbe(command.args);
      return;
    case "proxy":
      // open connections of the service would keep the program alive
      process.exit(await runProxy(command.args));
    case "compare":
      process.exitCode = await runCompare(command.args);
      return;
    case "prove":
      process.exitCode = await runProve(command.args);
  }
}

/** Reads the version from package.json, which lies above both the sources and the build. */
function version(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String(objectOf(JSON.parse(file)).version);
}
