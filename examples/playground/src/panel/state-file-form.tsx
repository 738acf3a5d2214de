import { useState } from "preact/hooks";
import type { ExportedState } from "shelfleet/mock";
import { errorMessage } from "../error-message.ts";
import { Prose } from "../prose.tsx";
import { changes, loadState, server, stateFile } from "../server.ts";

const NAME = "shelfleet-state.json";

/** Downloads the data of the server as a file, and starts the server with such a file. */
export function StateFileForm() {
  const [problem, setProblem] = useState("");
  return (
    <>
      <h2>State file</h2>
      <Summary />
      <div class="actions">
        <button type="button" class="primary" onClick={download}>
          Download the state
        </button>
        <label class="file">
          Load a state file
          <input
            type="file"
            accept="application/json,.json"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) void load(file).then(setProblem);
              currentTarget.value = ""; // the same file can be chosen again
            }}
          />
        </label>
      </div>
      <p class="fault" role="alert">
        {problem}
      </p>
      <p class="note">
        <Prose
          text={`Tests can also start with this file: \`createReferenceServer({ state })\`, or \`npx shelfleet mock --state ${NAME}\`. The file contains the contacts and login codes of stores, but not tokens or keys.`}
        />
      </p>
    </>
  );
}

function Summary() {
  void changes.value;
  const { state, clock } = server.value;
  const { stores } = state.store;
  const { vehicles, inspections, damages } = state.fleet;
  return (
    <p data-testid="state">
      The server started from {stateFile.value === null ? "the seed" : stateFile.value.name}. It has{" "}
      {counted(stores, "store")}, {counted(vehicles, "vehicle")}, {counted(inspections, "inspection")} and{" "}
      {counted(damages, "damage")}. Its clock shows {clock.now().toISOString()}.
    </p>
  );
}

function counted({ size }: ReadonlyMap<string, unknown>, name: string): string {
  return size === 1 ? `1 ${name}` : `${size} ${name}s`;
}

function download(): void {
  const text = JSON.stringify(server.value.exportState(), null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = NAME;
  link.click();
  // after this time the browser has started to read the file
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Starts a server with a file. Returns the error of an invalid file, or an empty string. */
async function load(file: File): Promise<string> {
  try {
    // the server checks it
    loadState({ name: file.name, state: parse(await file.text()) as ExportedState });
    return "";
  } catch (error) {
    return `${file.name}: ${errorMessage(error)}`;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the file must be JSON: ${errorMessage(error)}`, { cause: error });
  }
}
