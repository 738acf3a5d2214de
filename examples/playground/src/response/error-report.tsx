import { ScopeError } from "shelfleet";
import { errorName } from "../run.ts";

/** Properties that are shown elsewhere or are not useful to a reader. */
const HIDDEN = new Set(["name", "message", "stack", "body", "headers", "explanation", "cause"]);

/** An error as the calling code receives it: its class, its message and its properties. */
export function ErrorReport({ error }: { error: unknown }) {
  const properties =
    error instanceof Error ? Object.entries(error).filter(([name, value]) => isReported(name, value)) : [];
  return (
    <div class="error-report" data-testid="error">
      <h3>
        <code>{errorName(error)}</code>
      </h3>
      <p class="message">{error instanceof Error ? error.message : String(error)}</p>
      {error instanceof ScopeError && <p class="explanation">{error.explanation}</p>}
      {properties.length > 0 && (
        <dl>
          {properties.map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>.{name}</code>
              </dt>
              <dd>
                <code>{JSON.stringify(value)}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function isReported(name: string, value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return !HIDDEN.has(name) && value !== undefined && !isEmpty;
}
