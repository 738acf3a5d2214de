import { ErrorReport } from "../response/error-report.tsx";
import type { Loaded } from "./loaded.ts";

interface Props {
  title: string;
  text: string;
  loaded: Loaded<unknown>;
}

/** The title and description of a chart, whether its data are loaded, and the error if they are not. */
export function ChartHead({ title, text, loaded: { isLoading, error, again } }: Props) {
  return (
    <>
      <header class="operation">
        <h2>{title}</h2>
        <p>{text}</p>
        <div class="actions">
          <button type="button" class="quiet" disabled={isLoading} onClick={again}>
            Reload
          </button>
          <span class="note" role="status">
            {isLoading ? "Loading…" : error === undefined ? "Loaded." : "Not loaded."}
          </span>
        </div>
      </header>
      {error !== undefined && <ErrorReport error={error} />}
    </>
  );
}
