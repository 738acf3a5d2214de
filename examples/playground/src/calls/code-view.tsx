import { useState } from "preact/hooks";
import { type CodeTarget, codeTarget } from "../code.ts";
import { changes, server, stateFile } from "../server.ts";

/** Code that can be copied. */
export function CodeView({ code }: { code: string }) {
  const [copied, setCopied] = useState("");
  return (
    <div class="code">
      <div class="bar">
        <h3 id="code-title">The call in TypeScript</h3>
        <label>
          for{" "}
          <select
            value={codeTarget.value}
            onChange={({ currentTarget }) => (codeTarget.value = currentTarget.value as CodeTarget)}
          >
            <option value="reference">a reference server (runs unchanged)</option>
            <option value="service">your service</option>
          </select>
        </label>
        <button
          type="button"
          class="quiet"
          disabled={code === ""}
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(code))}
        >
          {copied === code && code !== "" ? "Copied" : "Copy"}
        </button>
      </div>
      <pre tabIndex={0} aria-labelledby="code-title" role="region">
        <code data-testid="code">{code}</code>
      </pre>
      {codeTarget.value === "reference" && <DataNote />}
    </div>
  );
}

/** Shows which data the code starts with if they differ from the data of the page. */
function DataNote() {
  void changes.value;
  if (stateFile.value !== null)
    return <p class="note">The code reads {stateFile.value.name} from its working directory.</p>;
  const isChanged = server.value.journal
    .all()
    .some(({ method, status }) => method !== "GET" && status !== null && status < 300);
  return isChanged ? (
    <p class="note">
      The code starts with the seed data, without the changes made on this page. To include the changes,
      download the state and load it in the Server tab.
    </p>
  ) : null;
}
