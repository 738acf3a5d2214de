import { useState } from "preact/hooks";
import type { RateLimits } from "shelfleet/mock";
import { errorMessage } from "../error-message.ts";
import { isRecordOf, isString, keptSignal } from "../kept-signal.ts";
import { Prose } from "../prose.tsx";
import { changes, removeLimits, server, setLimits } from "../server.ts";
import { ChoiceField, NumberField } from "./fields.tsx";

interface LimitsDraft {
  perSecond: string;
  burst: string;
  retryAfter: string;
}

const initial: LimitsDraft = { perSecond: "1", burst: "2", retryAfter: "seconds" };

const typed = keptSignal<LimitsDraft>("limits-form", initial, isDraft);

function isDraft(value: unknown): value is LimitsDraft & Record<string, string> {
  return isRecordOf(value, isString) && Object.keys(initial).every((name) => name in value);
}

const FORMS: [form: string, title: string][] = [
  ["seconds", "in seconds"],
  ["date", "as a date"],
  ["none", "omitted"],
];

/** The rate limits of the token and the key. */
export function LimitsForm() {
  void changes.value;
  const [problem, setProblem] = useState("");
  const { "limits.store-rate": store, "limits.fleet-rate": fleet } = server.value.readings;
  return (
    <>
      <h2>Rate limits</h2>
      <p class="note">
        <Prose text="A token or key above its limit receives 429. Setting limits also chooses the reading `too-many-requests` of `limits.store-rate` and `limits.fleet-rate`." />
      </p>
      <p data-testid="limits">
        Store API: {describeLimits(store)}. Fleet API: {describeLimits(fleet)}.
      </p>
      <form
        aria-label="Rate limits"
        onSubmit={(event) => {
          event.preventDefault();
          try {
            setLimits(limitsOf(typed.value));
            setProblem("");
          } catch (error) {
            setProblem(errorMessage(error));
          }
        }}
      >
        <Fields />
        <p class="fault" role="alert">
          {problem}
        </p>
        <div class="actions">
          <button type="submit" class="primary">
            Limit both APIs
          </button>
          <button
            type="button"
            class="quiet"
            disabled={store === "none" && fleet === "none"}
            onClick={removeLimits}
          >
            Remove the limits
          </button>
        </div>
      </form>
    </>
  );
}

function Fields() {
  const { perSecond, burst, retryAfter } = typed.value;
  return (
    <div class="grid">
      <NumberField
        label="Requests per second"
        min={0}
        step="any"
        required
        value={perSecond}
        onChange={(value) => change({ perSecond: value })}
      />
      <NumberField
        label="Burst (requests at once)"
        min={1}
        required
        value={burst}
        onChange={(value) => change({ burst: value })}
      />
      <ChoiceField
        label="Retry-After"
        value={retryAfter}
        choices={FORMS}
        onChange={(value) => change({ retryAfter: value })}
      />
    </div>
  );
}

function change(part: Partial<LimitsDraft>): void {
  typed.value = { ...typed.value, ...part };
}

function limitsOf({ perSecond, burst, retryAfter }: LimitsDraft): RateLimits {
  return {
    perSecond: Number(perSecond),
    burst: Number(burst),
    retryAfter: retryAfter as NonNullable<RateLimits["retryAfter"]>, // the value of a choice is one of its options
  };
}

function describeLimits(reading: string): string {
  if (reading === "none") return "no limit";
  const { perSecond, burst } = server.value.limits;
  return `${perSecond} per second, burst of ${burst}`;
}
