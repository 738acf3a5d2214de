import { argumentsOf, bodyFault } from "../call-arguments.ts";
import { callCode } from "../code.ts";
import type { Operation } from "../operations.ts";
import { runCall } from "../run.ts";
import { changes } from "../server.ts";
import { showPanel } from "../panel/shown-panel.ts";
import { BodyField } from "./body-field.tsx";
import { CodeView } from "./code-view.tsx";
import { changeDraft, draftOf, prefillAgain } from "./drafts.ts";
import { OperationHead } from "./operation-head.tsx";
import { Parameters } from "./parameters.tsx";

/** One operation: its form, and the code that the call is. */
export function CallView({ operation }: { operation: Operation }) {
  // a form that nobody touched follows the server's data
  void changes.value;
  const draft = draftOf(operation);
  const isSendable = bodyFault(operation, draft) === undefined;
  return (
    <>
      <OperationHead operation={operation} />
      <form
        aria-label={`${operation.call}: arguments`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isSendable) void send(operation);
        }}
      >
        <Parameters operation={operation} draft={draft} />
        {operation.body !== null && <BodyField operation={operation} draft={draft} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={!isSendable}>
            Send
          </button>
          <button type="button" class="quiet" onClick={() => prefillAgain(operation)}>
            Fill in again
          </button>
        </div>
      </form>
      <CodeView code={isSendable ? callCode(operation, argumentsOf(operation, draft)) : ""} />
    </>
  );
}

async function send(operation: Operation): Promise<void> {
  // what is sent stays to be seen, whatever the answer changes about the ids that there are
  const draft = draftOf(operation);
  changeDraft(operation, draft);
  showPanel("answer");
  await runCall(operation, argumentsOf(operation, draft), (result) => Promise.resolve(result));
}
