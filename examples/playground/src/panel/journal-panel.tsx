import type { JournalEntry } from "shelfleet/mock";
import { changes, server } from "../server.ts";

const MAX_ENTRIES = 60;

/** The requests that the server received, the last first, and those that violate the contract. */
export function JournalPanel() {
  void changes.value;
  const { journal } = server.value;
  const all = journal.all();
  const violations = journal.violations();
  return (
    <section>
      <h2>Journal</h2>
      <p class="note">
        {all.length === 1 ? "1 request" : `${all.length} requests`},{" "}
        {violations.length === 1 ? "1 contract violation" : `${violations.length} contract violations`}. The
        journal does not contain tokens or keys.
      </p>
      {all.length > 0 && <Entries entries={all.slice(-MAX_ENTRIES).toReversed()} />}
      {violations.length > 0 && (
        <>
          <h3>Contract violations</h3>
          <ul class="violations">
            {violations
              .slice(-MAX_ENTRIES)
              .toReversed()
              .map(({ operation, path, issues }, index) => (
                <li key={index}>
                  <code>{operation ?? path}</code>:{" "}
                  {issues.map((issue) => `${issue.path} ${issue.message}`).join("; ")}
                </li>
              ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Entries({ entries }: { entries: readonly JournalEntry[] }) {
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label="Journal">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Operation</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <Entry key={index} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entry({ entry: { operation, method, path, query, status, fault, body } }: { entry: JournalEntry }) {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );
  return (
    <tr>
      <td class={statusClass(status)}>
        {status ?? "no response"}
        {fault !== undefined && ` (${fault})`}
      </td>
      <td>{operation ?? "unknown"}</td>
      <td class="wire">
        {method} {path}
        {search.size > 0 && <span class="meaning">?{decodeURIComponent(String(search))}</span>}
        {body !== undefined && <span class="meaning"> {JSON.stringify(body).length} bytes</span>}
      </td>
    </tr>
  );
}

/** The CSS classes of a status. */
export function statusClass(status: number | null): string {
  if (status === null) return "status bad";
  return status < 300 ? "status good" : "status bad";
}
