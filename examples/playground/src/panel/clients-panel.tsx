import { defaults, type Settings, settings } from "../settings.ts";
import { gaps } from "shelfleet/gaps";

const strategies = gaps["protocols.next-page"].strategies;

/** How both clients are made. */
export function ClientsPanel() {
  const { timeout, retry, validate, apiVersion, strategy, informed } = settings.value;
  return (
    <section>
      <h2>Options of the clients</h2>
      <div class="grid">
        <label>
          timeout, ms
          <input
            type="number"
            min={1}
            value={timeout}
            onInput={({ currentTarget }) =>
              change({ timeout: Number(currentTarget.value) || defaults.timeout })
            }
          />
        </label>
        <label>
          retry
          <select
            value={retry}
            onChange={({ currentTarget }) => change({ retry: Number(currentTarget.value) })}
          >
            {[0, 1, 2, 3].map((number) => (
              <option key={number} value={number}>
                {number}
              </option>
            ))}
          </select>
        </label>
        <label>
          validate
          <select
            value={validate}
            onChange={({ currentTarget }) =>
              change({ validate: currentTarget.value as Settings["validate"] })
            }
          >
            <option value="envelope">envelope</option>
            <option value="full">full</option>
          </select>
        </label>
        <label>
          apiVersion (fleet)
          <input
            type="text"
            autocomplete="off"
            placeholder="left out"
            value={apiVersion}
            onInput={({ currentTarget }) => change({ apiVersion: currentTarget.value })}
          />
        </label>
        <label>
          strategy of protocols.next-page (store)
          <select
            value={strategy}
            onChange={({ currentTarget }) =>
              change({ strategy: currentTarget.value as Settings["strategy"] })
            }
          >
            {Object.keys(strategies).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="note">{strategies[strategy]}</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={informed}
          onChange={({ currentTarget: { checked } }) => change({ informed: checked })}
        />
        <span>Tell the clients of the readings that they have an option for</span>
      </label>
    </section>
  );
}

function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}
