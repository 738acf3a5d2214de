import { expect, it } from "vitest";
import { listenError } from "../../src/cli/listen-error.ts";
import { StartError } from "../../src/cli/output.ts";

it.each([
  ["EADDRINUSE", "port 80 of a.test is in use; choose another with --port"],
  ["EACCES", "port 80 of a.test needs more permissions; choose another with --port"],
  ["ENOTFOUND", "a.test is not an address of this machine; see --host"],
  ["EAI_AGAIN", "a.test is not an address of this machine; see --host"],
  ["EADDRNOTAVAIL", "a.test is not an address of this machine; see --host"],
  ["EPERM", "cannot listen on port 80 of a.test: listen"],
])("the error %s of a server that cannot listen names the flag to change", (code, message) => {
  const error = Object.assign(new Error("listen"), { code });
  expect(listenError(error, 80, "a.test")).toEqual(new StartError(message));
});
