import { spawnSync } from "node:child_process";

/** Runs a program to its end and gives what it wrote; throws where it fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}`);
  return stdout;
}
