import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runMock } from "../../src/cli/mock.ts";
import { describeFailure } from "../../src/cli/output.ts";
import { folderWith } from "./folder.ts";

/** The line of the error with which the command ends before it starts a server. */
async function errorOf(...args: string[]): Promise<string> {
  const error: unknown = await runMock(args).catch((reason: unknown) => reason);
  const { lines } = describeFailure(error);
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

describe("shelfleet mock", () => {
  it("reports a port in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const error = await errorOf("--port", String(port));
    expect(error).toMatch(/cannot listen on port \d+ of 127.0.0.1: .*in use.*choose another with --port$/);
  });

  it.each([
    [["--host", "0.0.0.0"], "--host 0.0.0.0 lets other machines connect and needs --token"],
    [
      ["--host", "::", "--token", "t", "--control"],
      "--host :: lets other machines connect and needs --control-token",
    ],
    [["--host", "host.invalid", "--token", "chosen-token"], "cannot listen on port 4010 of host.invalid"],
    [["--key", "not-a-key-at-all"], "--key must have the form <prefix>_ or <prefix>_test_ followed by 64"],
    [["--token", "a b"], "--token must be a string of visible characters"],
    [["--now", "yesterday"], "--now: must be a Date or an ISO 8601 string"],
    [["--stores", "1.5"], "--stores must be an integer"],
    [["--vehicles=-1"], "--vehicles must be at least 0"],
    [["--port", "70000"], "--port must be at most 65535"],
    [["--allow-host", "http://mock"], "--allow-host[0] must be a host name or an address"],
    [["--readings", "/no/such/file"], "--readings /no/such/file: no such file"],
  ])("rejects %j in one line", async (args, message) => {
    const error = await errorOf(...args);
    expect(error).toContain(`shelfleet: ${message}`);
    expect(error).not.toMatch(/not-a-key-at-all|a b/);
  });

  it.each([
    ["--readings", "{", "--readings FILE: not JSON, at line 1 column 2"],
    ["--readings", "[]", "--readings must be an object"],
    ["--readings", '{"stores.omitted-field": "keep"}', '--readings: unknown property "stores.omitted-field"'],
  ])("rejects a file of %s with %j in one line", async (flag, content, message) => {
    const { file = "" } = folderWith({ file: content });
    expect(await errorOf("--port", "0", flag, file)).toContain(message.replace("FILE", file));
  });
});
