import { lastRun, type Run, spoken } from "../run.ts";
import { ErrorReport } from "./error-report.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { JsonView } from "./json-view.tsx";

/** What the last call gave, and what went over the wire for it. */
export function Answer() {
  const run = lastRun.value;
  if (run === null) {
    return (
      <section>
        <h2>Answer</h2>
        <p class="note">
          Send a call: what the client gives or throws is shown here, with every request that it made.
        </p>
      </section>
    );
  }
  return (
    <section data-testid="answer" data-state={run.outcome.state} data-run={run.id}>
      <h2>
        {run.operation.api}.{run.operation.call}
      </h2>
      <p class={`outcome ${run.outcome.state}`}>{spoken(run)}</p>
      <Outcome run={run} />
      <h3>On the wire</h3>
      {run.exchanges.length === 0 && <p class="note">Nothing was sent.</p>}
      {run.exchanges.map((exchange, index) => (
        <ExchangeView key={index} exchange={exchange} isLast={index === run.exchanges.length - 1} />
      ))}
    </section>
  );
}

function Outcome({ run: { outcome } }: { run: Run }) {
  switch (outcome.state) {
    case "running":
      return <p class="note">Waiting…</p>;
    case "failed":
      return <ErrorReport error={outcome.error} />;
    case "answered":
      return (
        <JsonView
          title="What the client gives"
          text={JSON.stringify(outcome.value, null, 2) ?? "undefined"}
        />
      );
  }
}
