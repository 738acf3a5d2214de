import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isRunning, requestCount, type Run, currentRun } from "../run.ts";

interface Props {
  /** The text of the button. */
  label: string;
  isSendable: boolean;
  /** Further buttons. */
  children: ComponentChildren;
}

/** The button that sends a form. While the call runs, also its progress and a button that cancels it. */
export function SendControls({ label, isSendable, children }: Props) {
  const run = currentRun.value;
  useEffect(() => {
    document.addEventListener("keydown", sendByKeys);
    return () => document.removeEventListener("keydown", sendByKeys);
  }, []);
  return (
    <div class="actions">
      <button
        type="submit"
        class="primary"
        disabled={!isSendable}
        // a disabled button would lose the focus
        aria-disabled={isRunning(run)}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        title="Ctrl+Enter"
      >
        {label}
      </button>
      {children}
      {isRunning(run) && <Progress key={run.id} run={run} />}
    </div>
  );
}

/** The ID of the form that the keys send. */
export const FORM = "call";

/** Ctrl+Enter and Cmd+Enter send the form of the view, unless another form has the focus. */
function sendByKeys(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const form = document.getElementById(FORM);
  const focused = event.target instanceof Element ? event.target.closest("form") : null;
  if (!(form instanceof HTMLFormElement) || (focused !== null && focused !== form)) return;
  event.preventDefault();
  if (!event.repeat) form.requestSubmit();
}

const TICK = 100;

function Progress({ run }: { run: Run }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - run.begun) / 1_000;
  return (
    <span class="progress">
      <button type="button" onClick={run.cancel}>
        Cancel
      </button>
      <progress aria-label="Waiting for the response" />
      <span class="note">
        {seconds.toFixed(1)} s, {requestCount(run.exchanges.length)}
      </span>
    </span>
  );
}
