import { useState } from "preact/hooks";
import { argumentsOf } from "../call-arguments.ts";
import { CodeView } from "../calls/code-view.tsx";
import { draftOf } from "../calls/drafts.ts";
import { OperationHead } from "../calls/operation-head.tsx";
import { Parameters } from "../calls/parameters.tsx";
import { walkCode } from "../code.ts";
import type { Operation } from "../operations.ts";
import { showPanel } from "../panel/shown-panel.ts";
import { changes } from "../server.ts";
import { PageTable } from "./page-table.tsx";
import { type Page, resumedArguments, walk } from "./walk.ts";

/** A list page by page: cursors or numbers, and where to go on. */
export function ListView({ operation }: { operation: Operation }) {
  void changes.value;
  const draft = draftOf(operation);
  const fresh = argumentsOf(operation, draft);
  const [args, setArgs] = useState<unknown[] | null>(null);
  const [pages, setPages] = useState<Page[]>([]);
  const [isWalking, setWalking] = useState(false);
  const begin = (chosen: unknown[], most: number): void => {
    setArgs(chosen);
    setPages([]);
    setWalking(true);
    showPanel("answer");
    void walk(operation, chosen, most, setPages).finally(() => setWalking(false));
  };
  return (
    <>
      <OperationHead operation={operation} />
      <form
        aria-label={`${operation.call}: arguments`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          begin(fresh, Infinity);
        }}
      >
        <Parameters operation={operation} draft={draft} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isWalking}>
            Walk over every page
          </button>
          <button type="button" class="quiet" disabled={isWalking} onClick={() => begin(fresh, 2)}>
            Two pages
          </button>
        </div>
      </form>
      <PageTable
        pages={pages}
        isWalking={isWalking}
        onResume={(resume) => begin(resumedArguments(operation, draft, resume), Infinity)}
      />
      <CodeView code={walkCode(operation, args ?? fresh)} />
    </>
  );
}
