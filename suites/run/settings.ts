// The settings of a run, passed from the command line to the workers in a file that an environment variable names.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { FoundKind } from '../../matrix/api/index.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { Undeletable } from '../objects/deletes.js';
import type { Choice, EvidenceChoice, Target } from '../requirements/index.js';

/** The environment variable with the path of the settings file. */
export const runVariable = 'KUBE_API_CONFORMANCE_RUN';

/** Milliseconds in which a target that is gone may recover, if the run does not set another limit. */
export const defaultRecoveryTimeout = 90_000;

/** The response of a target to requests without credentials. */
export interface AnonymousAccess {
  /** Set if these are requests of the anonymous user: protected requests are `forbidden` or `allowed` to that user. */
  readonly anonymous?: 'forbidden' | 'allowed';
  /** Status and message of the response to a request that every user may send. */
  readonly status: number;
  readonly excerpt: string;
}

export interface Run {
  /** Short, lower case, and part of every name that the run creates. */
  readonly runId: string;
  readonly target: Target;
  /** The folder of the evidence. */
  readonly directory: string;
  /** The cases of the run; all when absent. */
  readonly choice?: Choice;
  /** The kinds that only the target knows; none when absent. */
  readonly kinds?: readonly FoundKind[];
  /** Whether tests have a step for each case, and fail with their cases, for a reporter of Playwright. */
  readonly showsCases?: true;
  /** The ids of the cases that failed in the baseline: they fail no test. */
  readonly known?: readonly string[];
  /** Set if failures of recommended requirements fail no test, as they do not fail the run. */
  readonly onlyRequired?: true;
  /** The evidence that is kept for passed cases; a sample when absent. */
  readonly evidence?: EvidenceChoice;
  /** The maximum number of subjects that a worker runs at the same time; one when absent. */
  readonly atOnce?: number;
  /** Milliseconds that a check waits for a controller; 15,000 when absent. */
  readonly timeout?: number;
  /** Milliseconds that a response may take; 15,000 when absent. */
  readonly answerTimeout?: number;
  /** Milliseconds in which a target that is gone may recover; 90,000 when absent. */
  readonly recoveryTimeout?: number;
  /** The deletes that the target cannot be trusted with; none when absent. */
  readonly undeletable?: Undeletable;
  /** The response of the target to requests without credentials; unknown when absent. */
  readonly anonymousAccess?: AnonymousAccess;
  /** The seed of the random histories; 1 when absent. */
  readonly seed?: number;
  /** The number of random histories of each kind; 1 when absent. */
  readonly histories?: number;
  /** Set if a history that contradicts the rules is not tried smaller, since nobody reads its message. */
  readonly keepsHistories?: true;
  /** The file that records why the run stops early. */
  readonly stopFile?: string;
  /** The node of the run beside the target; absent if pods run on the target's own nodes, or on none. */
  readonly node?: { readonly name: string; readonly controlUrl: string };
  /**
   * The fixtures that the target was started with, and the URL that controls the stand-ins; absent if the command line
   * did not start the target.
   */
  readonly authentication?: {
    readonly fixtures: Fixtures;
    readonly controlUrl: string;
    /** The URL of the second server; absent if none can be started. */
    readonly secondServerUrl?: string;
  };
}

/** Returns the kinds that only the target of this run knows; none if this process has no run. */
export function kindsOfRun(): readonly FoundKind[] {
  const file = process.env[runVariable];
  if (file === undefined || !existsSync(file)) return [];
  kinds ??= readRun().kinds ?? [];
  return kinds;
}

let kinds: readonly FoundKind[] | undefined;

/** Reads the settings of this run. Throws if the suite was not started by its command. */
export function readRun(): Run {
  const file = process.env[runVariable];
  if (file === undefined || !existsSync(file)) {
    throw new Error('this run has no target: start it with `npm run conformance` or `npx playwright test`');
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Run;
}

/** Writes the settings, readable by this user only, because they contain credentials. */
export function writeRun(file: string, run: Run): void {
  // The runner may be reading the choice.
  writeFileSync(`${file}.new`, JSON.stringify(run), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Writes only what selects the cases, by which tests are registered: the other settings may not be known yet. */
export function writeChoice(file: string, choice: Choice, kinds: readonly FoundKind[]): void {
  writeFileSync(file, JSON.stringify({ choice, kinds }), { mode: 0o600 });
}
