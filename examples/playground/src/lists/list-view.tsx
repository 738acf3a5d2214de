import { argumentsOf } from "../call-arguments.ts";
import { CodeView } from "../calls/code-view.tsx";
import { draftOf } from "../calls/drafts.ts";
import { OperationHead } from "../calls/operation-head.tsx";
import { Parameters } from "../calls/parameters.tsx";
import { FORM, SendControls } from "../calls/send-controls.tsx";
import { walkCode } from "../code.ts";
import type { Operation } from "../operations.ts";
import { showPanel } from "../panel/current-panel.ts";
import { isRunning, currentRun } from "../run.ts";
import { changes } from "../server.ts";
import { PageTable } from "./page-table.tsx";
import { resumedArguments, walk, walkOf } from "./walk.ts";

/** A list page by page, with cursors or page numbers; the walk can be resumed after each page. */
export function ListView({ operation }: { operation: Operation }) {
  void changes.value;
  const draft = draftOf(operation);
  const fresh = argumentsOf(operation, draft);
  const isWalking = isRunning(currentRun.value);
  const { args = fresh, pages = [] } = walkOf(operation) ?? {};
  const begin = (chosen: unknown[], maximum: number): void => {
    if (isRunning(currentRun.value)) return;
    showPanel("response");
    void walk(operation, chosen, maximum);
  };
  return (
    <>
      <OperationHead operation={operation} />
      <form
        id={FORM}
        aria-label={`${operation.call}: arguments`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          begin(fresh, Infinity);
        }}
      >
        <Parameters operation={operation} draft={draft} />
        <SendControls label="Load all pages" isSendable>
          <button type="button" class="quiet" disabled={isWalking} onClick={() => begin(fresh, 2)}>
            Load two pages
          </button>
        </SendControls>
      </form>
      <PageTable
        pages={pages}
        isWalking={isWalking}
        onResume={(resume) => begin(resumedArguments(operation, draft, resume), Infinity)}
      />
      <CodeView code={walkCode(operation, args)} />
    </>
  );
}
