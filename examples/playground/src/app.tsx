import { CallView } from "./calls/call-view.tsx";
import { OperationList } from "./calls/operation-list.tsx";
import { FieldStatusView } from "./charts/field-status-view.tsx";
import { FillRateView } from "./charts/fill-rate-view.tsx";
import { ListView } from "./lists/list-view.tsx";
import { findOperation, isList, operations } from "./operations.ts";
import { SidePanel } from "./panel/side-panel.tsx";
import { route, views } from "./route.ts";
import { lastRun, spoken } from "./run.ts";
import { restart } from "./server.ts";

/** The whole page: what can be done on the left, what came of it and what the server means on the right. */
export function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the main part
      </a>
      <Header />
      <div class={`columns ${route.value.view}`}>
        <Main />
        <aside aria-label="Answer and server">
          <SidePanel />
        </aside>
      </div>
      <p class="visually-hidden" role="status">
        {lastRun.value === null ? "" : spoken(lastRun.value)}
      </p>
    </>
  );
}

function Header() {
  return (
    <header class="top">
      <h1>
        shelfleet <span>playground</span>
      </h1>
      <nav aria-label="Views">
        {views.map(([view, title]) => (
          <a key={view} href={`#/${view}`} aria-current={route.value.view === view ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <p class="claim">
        A reference server of both APIs answers in this page's service worker. Nothing leaves it.
      </p>
      <button
        type="button"
        onClick={() => restart({})}
        title="Data, readings, faults, key and journal as they were at first"
      >
        Reset the server
      </button>
    </header>
  );
}

function Main() {
  const { view, operation: id } = route.value;
  const lists = operations.filter(isList);
  switch (view) {
    case "calls": {
      const operation = findOperation(id ?? "") ?? operations[0];
      return (
        <>
          <OperationList view="calls" current={operation?.id} />
          <main id="main" tabIndex={-1}>
            {operation && <CallView key={operation.id} operation={operation} />}
          </main>
        </>
      );
    }
    case "lists": {
      const operation = lists.find((list) => list.id === id) ?? lists[0];
      return (
        <>
          <OperationList view="lists" current={operation?.id} only={isList} />
          <main id="main" tabIndex={-1}>
            {operation && <ListView key={operation.id} operation={operation} />}
          </main>
        </>
      );
    }
    case "fill-rates":
      return (
        <main id="main" tabIndex={-1}>
          <FillRateView />
        </main>
      );
    case "field-statuses":
      return (
        <main id="main" tabIndex={-1}>
          <FieldStatusView />
        </main>
      );
  }
}

/** The hash is the route's: the link must not change it. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
