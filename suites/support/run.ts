// The settings of a run, as the command line hands them to the workers: a file named by an environment variable.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Choice, EvidenceChoice, Target } from '../../matrix/requirements/index.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { Undeletable } from './deletes.js';
import type { Strangers } from './strangers.js';

/** The environment variable that names the file with the run's settings. */
export const runVariable = 'KUBE_API_CONFORMANCE_RUN';

/** Milliseconds in which a target that is gone may come back, where the run does not say. */
export const usualComesBack = 90_000;

export interface Run {
  /** Short, lower case, in every name that the run creates. */
  readonly runId: string;
  readonly target: Target;
  /** Where evidence goes. */
  readonly directory: string;
  /** Which cases; all of them when absent. */
  readonly choice?: Choice;
  /** What is kept of passed cases; a sample when absent. */
  readonly evidence?: EvidenceChoice;
  /** Milliseconds that a check waits for what a controller does; 15,000 when absent. */
  readonly patience?: number;
  /** Milliseconds that an answer may take; 15,000 when absent. */
  readonly answerPatience?: number;
  /** Milliseconds in which a target that is gone may come back; 90,000 when absent. */
  readonly comesBack?: number;
  /** What the target cannot be trusted to delete; nothing when absent. */
  readonly undeletable?: Undeletable;
  /** How the target answers who shows no credentials; not known when absent. */
  readonly strangers?: Strangers;
  /** Where it is noted that the run stops before its end. */
  readonly stopFile?: string;
  /** The node of the run beside the target; absent where pods run on nodes of its own, or nowhere. */
  readonly node?: { readonly name: string; readonly controlUrl: string };
  /** What the target was started with, and where the control of its stand-ins is; absent where it is on its own. */
  readonly authentication?: {
    readonly fixtures: Fixtures;
    readonly controlUrl: string;
    /** Where a second server can be had; absent where nobody can start one. */
    readonly secondServerUrl?: string;
  };
}

/** The label that every object of a run carries, with the run's id as its value. */
export const runLabel = 'kube-api-conformance/run';

/** What every name that a run creates starts with. */
export function namePrefix(runId: string): string {
  return `kac-${runId}`;
}

/** Reads the settings of this run. Throws where the suite was not started by its command. */
export function readRun(): Run {
  const file = process.env[runVariable];
  if (file === undefined || !existsSync(file)) {
    throw new Error('start the suite with `npm run conformance` or `npm run suite -- --url …`: it needs a target');
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Run;
}

/** Writes the settings, readable by this user only: they hold credentials. */
export function writeRun(file: string, run: Run): void {
  writeFileSync(file, JSON.stringify(run), { mode: 0o600 });
}
