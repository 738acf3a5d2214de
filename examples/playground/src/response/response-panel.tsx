import { route } from "../route.ts";
import { type Run, currentRun, announcement } from "../run.ts";
import { ErrorReport } from "./error-report.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { JsonView } from "./json-view.tsx";

/** The result of the view's last call, and its requests. */
export function ResponsePanel() {
  const run = currentRun.value;
  if (run === undefined) return <NoCall />;
  return (
    <section data-testid="response" data-state={run.outcome.state} data-run={run.id}>
      <h2>
        {run.operation.api}.{run.operation.call}
      </h2>
      <p class={`outcome ${run.outcome.state}`}>{announcement(run)}</p>
      <Outcome run={run} />
      <h3>Requests</h3>
      {run.exchanges.length === 0 && <p class="note">No request was sent.</p>}
      {run.exchanges.map((exchange, index) => (
        <ExchangeView key={index} exchange={exchange} isLast={index === run.exchanges.length - 1} />
      ))}
    </section>
  );
}

function NoCall() {
  const { operation } = route.value;
  return (
    <section>
      <h2>Response</h2>
      <p class="note">
        {operation === undefined
          ? "This view sends its requests automatically. The Journal tab lists them."
          : `${operation.api}.${operation.call} has not been called yet. After you send the call, its result or error is shown here, with every request of the client.`}
      </p>
    </section>
  );
}

function Outcome({ run: { outcome } }: { run: Run }) {
  switch (outcome.state) {
    case "running":
      return <p class="note">Waiting for the response…</p>;
    case "cancelled":
      return (
        <p class="note">
          The call was cancelled. The server may have executed a request that was already sent.
        </p>
      );
    case "failed":
      return <ErrorReport error={outcome.error} />;
    case "succeeded":
      return (
        <JsonView
          title="Return value of the client"
          text={JSON.stringify(outcome.value, null, 2) ?? "undefined"}
        />
      );
  }
}
