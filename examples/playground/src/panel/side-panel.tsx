import { Answer } from "../answer/answer.tsx";
import { readings } from "../server.ts";
import { ClientsPanel } from "./clients-panel.tsx";
import { FaultsPanel } from "./faults-panel.tsx";
import { JournalPanel } from "./journal-panel.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { switchedGaps } from "./gap-list.ts";
import { ReadingsPanel } from "./readings-panel.tsx";
import { faults } from "./set-faults.ts";
import { type Panel, panels, showPanel, shownPanel } from "./shown-panel.ts";

const contents = {
  answer: Answer,
  journal: JournalPanel,
  readings: ReadingsPanel,
  faults: FaultsPanel,
  key: KeyPanel,
  clients: ClientsPanel,
};

/** What came back, and everything that can be switched. */
export function SidePanel() {
  const Content = contents[shownPanel.value];
  return (
    <>
      <div role="tablist" aria-label="Answer and server" onKeyDown={moveBetweenTabs}>
        {panels.map(([panel, title]) => (
          <button
            type="button"
            role="tab"
            key={panel}
            id={`tab-${panel}`}
            aria-selected={shownPanel.value === panel}
            aria-controls="panel"
            tabIndex={shownPanel.value === panel ? 0 : -1}
            onClick={() => showPanel(panel)}
          >
            {title}
            <Count panel={panel} />
          </button>
        ))}
      </div>
      <div role="tabpanel" id="panel" aria-labelledby={`tab-${shownPanel.value}`} tabIndex={0}>
        <Content />
      </div>
    </>
  );
}

/** How much of a panel differs from the beginning. */
function Count({ panel }: { panel: Panel }) {
  const counts = { readings: switchedGaps(readings.value).length, faults: faults.value.length };
  const count = panel === "readings" || panel === "faults" ? counts[panel] : 0;
  return count === 0 ? null : <span class="count"> {count}</span>;
}

/** The arrow keys, Home and End, as the ARIA pattern of tabs has them. */
function moveBetweenTabs(event: KeyboardEvent): void {
  const at = panels.findIndex(([panel]) => panel === shownPanel.value);
  const last = panels.length - 1;
  const targets: Record<string, number> = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const [panel] = panels[targets[event.key] ?? -1] ?? [];
  if (panel === undefined) return;
  event.preventDefault();
  showPanel(panel);
  document.getElementById(`tab-${panel}`)?.focus();
}
