import { argumentsOf, bodyFault } from "../call-arguments.ts";
import { callCode } from "../code.ts";
import type { Operation } from "../operations.ts";
import { showPanel } from "../panel/current-panel.ts";
import { isRunning, runCall, currentRun } from "../run.ts";
import { changes } from "../server.ts";
import { BodyField } from "./body-field.tsx";
import { CodeView } from "./code-view.tsx";
import { changeDraft, draftOf, resetDraft } from "./drafts.ts";
import { OperationHead } from "./operation-head.tsx";
import { Parameters } from "./parameters.tsx";
import { FORM, SendControls } from "./send-controls.tsx";

/** One operation: its form, and the code of the call. */
export function CallView({ operation }: { operation: Operation }) {
  // a form that nobody edited follows the server's data
  void changes.value;
  const draft = draftOf(operation);
  const isSendable = bodyFault(operation, draft) === undefined;
  return (
    <>
      <OperationHead operation={operation} />
      <form
        id={FORM}
        aria-label={`${operation.call}: arguments`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isSendable && !isRunning(currentRun.value)) void send(operation);
        }}
      >
        <Parameters operation={operation} draft={draft} />
        {operation.body !== null && <BodyField operation={operation} draft={draft} />}
        <SendControls label="Send" isSendable={isSendable}>
          <button type="button" class="quiet" onClick={() => resetDraft(operation)}>
            Fill in again
          </button>
        </SendControls>
      </form>
      <CodeView code={isSendable ? callCode(operation, argumentsOf(operation, draft)) : ""} />
    </>
  );
}

async function send(operation: Operation): Promise<void> {
  // the form keeps what was sent, even if the response changes which IDs exist
  const draft = draftOf(operation);
  changeDraft(operation, draft);
  showPanel("answer");
  await runCall(operation, argumentsOf(operation, draft), (result) => Promise.resolve(result));
}
