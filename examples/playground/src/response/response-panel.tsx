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
    <section data-testid="answer" data-state={run.outcome.state} data-run={run.id}>
      <h2>
        {run.operation.api}.{run.operation.call}
      </h2>
      <p class={`outcome ${run.outcome.state}`}>{announcement(run)}</p>
      <Outcome run={run} />
      <h3>On the wire</h3>
      {run.exchanges.length === 0 && <p class="note">Nothing was sent.</p>}
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
      <h2>Answer</h2>
      <p class="note">
        {operation === undefined
          ? "This view sends its requests itself: the journal has them."
          : `${operation.api}.${operation.call} was not called yet. Send it: its result or error is shown here, with every request that the client made.`}
      </p>
    </section>
  );
}

function Outcome({ run: { outcome } }: { run: Run }) {
  switch (outcome.state) {
    case "running":
      return <p class="note">Waiting…</p>;
    case "cancelled":
      return <p class="note">The call was cancelled. A request that was sent may have been executed.</p>;
    case "failed":
      return <ErrorReport error={outcome.error} />;
    case "answered":
      return (
        <JsonView
          title="What the client returns"
          text={JSON.stringify(outcome.value, null, 2) ?? "undefined"}
        />
      );
  }
}
