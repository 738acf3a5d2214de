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

/** The form of one operation and the code of its call. */
export function CallView({ operation }: { operation: Operation }) {
  // a form that was not edited follows the data of the server
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
            Reset the form
          </button>
        </SendControls>
      </form>
      <CodeView code={isSendable ? callCode(operation, argumentsOf(operation, draft)) : ""} />
    </>
  );
}

async function send(operation: Operation): Promise<void> {
  // the form keeps the values that were sent, even if the call changes which IDs exist
  const draft = draftOf(operation);
  changeDraft(operation, draft);
  showPanel("response");
  await runCall(operation, argumentsOf(operation, draft), (result) => Promise.resolve(result));
}
