import { About } from "./about.tsx";
import { CallView } from "./calls/call-view.tsx";
import { OperationList } from "./calls/operation-list.tsx";
import { FieldStatusView } from "./charts/field-status-view.tsx";
import { FillRateView } from "./charts/fill-rate-view.tsx";
import { ListView } from "./lists/list-view.tsx";
import { isList } from "./operations.ts";
import { SidePanel } from "./panel/side-panel.tsx";
import { route, views } from "./route.ts";
import { currentRun, announcement } from "./run.ts";
import { resetServer } from "./server.ts";

/** The whole page: the forms on the left, the response and the server on the right. */
export function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the main content
      </a>
      <Header />
      <div class={`columns ${route.value.view}`}>
        <Main />
        <aside aria-label="Response and settings">
          <SidePanel />
        </aside>
      </div>
      <p class="visually-hidden" role="status">
        {currentRun.value === undefined ? "" : announcement(currentRun.value)}
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
      <button
        type="button"
        class="reset"
        onClick={resetServer}
        title="Restores the seed data and all defaults: readings, limits, faults, key and journal"
      >
        Reset the server
      </button>
      <About />
    </header>
  );
}

function Main() {
  const { view, operation } = route.value;
  if (operation !== undefined) {
    const View = view === "lists" ? ListView : CallView;
    return (
      <>
        <OperationList view={view} current={operation.id} {...(view === "lists" && { only: isList })} />
        <main id="main" tabIndex={-1}>
          <View key={operation.id} operation={operation} />
        </main>
      </>
    );
  }
  return (
    <main id="main" tabIndex={-1}>
      {view === "fill-rates" ? <FillRateView /> : <FieldStatusView />}
    </main>
  );
}

/** The hash is the route's: the link must not change it. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
