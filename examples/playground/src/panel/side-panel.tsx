import { ResponsePanel } from "../response/response-panel.tsx";
import { FaultsPanel } from "../faults/faults-panel.tsx";
import { changes, limits, readings, server, stateFile } from "../server.ts";
import { ClientsPanel } from "./clients-panel.tsx";
import { JournalPanel } from "./journal-panel.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { switchedGaps } from "./gap-list.ts";
import { ReadingsPanel } from "./readings-panel.tsx";
import { ServerPanel } from "./server-panel.tsx";
import { type Panel, panels, showPanel, currentPanel } from "./current-panel.ts";

const contents = {
  response: ResponsePanel,
  journal: JournalPanel,
  readings: ReadingsPanel,
  faults: FaultsPanel,
  server: ServerPanel,
  key: KeyPanel,
  clients: ClientsPanel,
};

/** The tabs with the response, the journal and the settings. */
export function SidePanel() {
  const Content = contents[currentPanel.value];
  return (
    <>
      <div role="tablist" aria-label="Response and settings" onKeyDown={moveBetweenTabs}>
        {panels.map(([panel, title]) => (
          <button
            type="button"
            role="tab"
            key={panel}
            id={`tab-${panel}`}
            aria-selected={currentPanel.value === panel}
            aria-controls="panel"
            tabIndex={currentPanel.value === panel ? 0 : -1}
            onClick={() => showPanel(panel)}
          >
            {title}
            <Count panel={panel} />
          </button>
        ))}
      </div>
      <div role="tabpanel" id="panel" aria-labelledby={`tab-${currentPanel.value}`} tabIndex={0}>
        <Content />
      </div>
    </>
  );
}

/** The number of settings in a panel that differ from the defaults. */
function Count({ panel }: { panel: Panel }) {
  const count = countOf(panel);
  return count === 0 ? null : <span class="count"> {count}</span>;
}

function countOf(panel: Panel): number {
  void changes.value;
  if (panel === "readings") return switchedGaps(readings.value).length;
  if (panel === "faults") return server.value.overrides.all().length;
  return panel === "server" ? [limits.value, stateFile.value].filter((choice) => choice !== null).length : 0;
}

/** Handles the arrow keys, Home and End as the ARIA pattern of tabs requires. */
function moveBetweenTabs(event: KeyboardEvent): void {
  const at = panels.findIndex(([panel]) => panel === currentPanel.value);
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
