#!/usr/bin/env node
import { describeFailure, printError, printText, watchOutput } from "./output.ts";
import { help, mockHelp, readCommandLine } from "./command-line.ts";
import { version } from "../wire/version.ts";

watchOutput();
try {
  await run(process.argv.slice(2));
} catch (error) {
  const { lines, exitCode } = describeFailure(error);
  for (const line of lines) printError(line);
  process.exit(exitCode); // a server that was started would keep the process alive
}

/** Runs a command. Only its code is loaded, because loading all commands takes 0.2 s. */
async function run(args: string[]): Promise<void> {
  const command = readCommandLine(args, process.env);
  switch (command.name) {
    case "help": {
      if (command.of === "control") {
        const { describeControl } = await import("../mock/control/routes.ts");
        printText(describeControl());
      } else printText(command.of === "mock" ? mockHelp : help);
      return;
    }
    case "version":
      printText(version);
      return;
    case "mock": {
      const { runMock } = await import("./mock.ts");
      await runMock(command.settings);
      return;
    }
    case "wait": {
      const { waitForServer } = await import("./wait.ts");
      await waitForServer(command.url, command.seconds);
      return;
    }
    case "doctor": {
      const { runDoctor } = await import("../doctor/doctor.ts");
      process.exitCode = await runDoctor(command.args);
      return;
    }
    case "prove": {
      const { runProve } = await import("../prove/command.ts");
      process.exitCode = await runProve(command.args);
      return;
    }
  }
}
