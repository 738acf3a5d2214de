import { ErrorReport } from "../answer/error-report.tsx";
import type { Loaded } from "./loaded.ts";

interface Props {
  title: string;
  text: string;
  code: string;
  loaded: Loaded<unknown>;
}

/** What a drawing is of, the code that reads it, and what went wrong. */
export function ChartHead({ title, text, code, loaded: { isLoading, error, again } }: Props) {
  return (
    <>
      <header class="operation">
        <h2>{title}</h2>
        <p>{text}</p>
        <pre tabIndex={0} role="region" aria-label="How it is read">
          <code>{code}</code>
        </pre>
        <div class="actions">
          <button type="button" class="quiet" disabled={isLoading} onClick={again}>
            Read again
          </button>
          <span class="note" role="status">
            {isLoading ? "Reading…" : "Read."}
          </span>
        </div>
      </header>
      {error !== undefined && <ErrorReport error={error} />}
    </>
  );
}
