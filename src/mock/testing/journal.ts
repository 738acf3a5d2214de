import type { Redactor } from "../../wire/redaction.ts";
import { describeValue } from "./checks.ts";
import {
  type Candidate,
  compileJournalMatcher,
  expectationMessage,
  isMatch,
  isOperation,
  type JournalMatcher,
} from "./journal-matcher.ts";
import { entryOf, issuesOf, type JournalEntry, recordView, type ViolationEntry } from "./journal-entry.ts";
import { type JournalRecord, RecordBuffer } from "./journal-records.ts";
import { assertOperation, type OperationModel } from "./operation-model.ts";
import type { RequestView } from "../http/request-view.ts";

/** The limits of the journal. When they are exceeded, the oldest requests are released. */
export interface JournalLimits {
  readonly limit: number;
  readonly maxBytes: number;
}

interface JournalOptions extends JournalLimits {
  readonly model: OperationModel;
  readonly redactor: Redactor;
}

/** The options of `expect`. */
export interface ExpectOptions {
  /** The exact number of requests; 0 for none. Default: at least one. */
  times?: number;
}

/** The requests of a server. */
export class Journal<Operation extends string = string, Base extends string = string> {
  readonly #records: RecordBuffer<Operation, Base>;
  readonly #options: JournalOptions;

  /** @internal */
  constructor(options: JournalOptions) {
    this.#records = new RecordBuffer(options.limit, options.maxBytes);
    this.#options = options;
  }

  /** Returns every request, oldest first. */
  all(): JournalEntry<Operation, Base>[] {
    return this.#records.all().map((record) => entryOf(record, this.#options.redactor));
  }

  /** Returns the requests of one operation, oldest first. */
  of(operation: Operation): JournalEntry<Operation, Base>[] {
    assertOperation(operation, this.#options.model.names);
    const records = this.#records.all().filter((record) => record.operation === operation);
    return records.map((record) => entryOf(record, this.#options.redactor));
  }

  /**
   * Returns the requests that match, oldest first. Requests to unknown paths are only in `all()`.
   *
   * @example ref.journal.find({ operation: "putStore", path: { externalId: "S-1" }, status: 200 })
   */
  find(matcher: JournalMatcher<RequestView<Operation, Base>>): JournalEntry<Operation, Base>[] {
    const compiled = compileJournalMatcher(matcher, this.#options.model);
    const candidates = this.#candidates((record) => isOperation(compiled, record));
    return candidates.filter((candidate) => isMatch(compiled, candidate)).map(({ entry }) => entry);
  }

  /**
   * Returns the requests that match, and throws if their number is not the expected one. The message compares the
   * nearest requests with the expectation.
   *
   * @example ref.journal.expect({ operation: "putStore", body: { name: "New" } }, { times: 1 })
   */
  expect(
    matcher: JournalMatcher<RequestView<Operation, Base>>,
    options: ExpectOptions = {},
  ): JournalEntry<Operation, Base>[] {
    const times = timesOf(options);
    const compiled = compileJournalMatcher(matcher, this.#options.model);
    const candidates = this.#candidates(() => true);
    const found = candidates.filter((candidate) => isMatch(compiled, candidate)).map(({ entry }) => entry);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    const { released } = this.#records;
    const message = expectationMessage({ matcher: compiled, times, found, candidates, released });
    throw new Error(this.#options.redactor.redact(message));
  }

  /** Returns the requests that violated the contract, oldest first, with their issues. */
  violations(): ViolationEntry<Operation, Base>[] {
    const { redactor } = this.#options;
    const records = this.#records.all().filter(({ issues }) => issues.length > 0);
    return records.map((record) =>
      Object.assign(entryOf(record, redactor), { issues: issuesOf(record, redactor) }),
    );
  }

  /** Removes all requests. */
  clear(): void {
    this.#records.clear();
  }

  /** @internal */
  add(record: JournalRecord<Operation, Base>): void {
    this.#records.add(record);
  }

  #candidates(isWanted: (record: JournalRecord) => boolean): Candidate<Operation, Base>[] {
    const { redactor } = this.#options;
    return this.#records
      .all()
      .filter(isWanted)
      .map((record) => {
        const entry = entryOf(record, redactor);
        return { entry, view: recordView(record, entry, redactor) };
      });
  }
}

function timesOf({ times, ...others }: ExpectOptions): number | undefined {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`expect: unknown option "${unknown}". Expected times`);
  if (times === undefined || (Number.isSafeInteger(times) && times >= 0)) return times;
  throw new Error(`expect: times must be a non-negative integer, not ${describeValue(times)}`);
}
