import { ErrorReport } from "../response/error-report.tsx";
import type { Loaded } from "./loaded.ts";

interface Props {
  title: string;
  text: string;
  loaded: Loaded<unknown>;
}

/** What a drawing is of, and what went wrong. */
export function ChartHead({ title, text, loaded: { isLoading, error, again } }: Props) {
  return (
    <>
      <header class="operation">
        <h2>{title}</h2>
        <p>{text}</p>
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
