// The plan of a run before it examines its target, and the inputs of the workers and the evidence.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Run } from '../../suites/index.js';
import type { RunHeader, Target } from '../../suites/requirements/index.js';
import { publicPath, version } from '../files.js';
import type { Findings } from './findings.js';
import { asksForKinds, type ChosenCases, type RunOptions } from './options.js';

export interface RunPlan {
  readonly runId: string;
  readonly target: Target;
  readonly options: RunOptions;
  readonly chosen: ChosenCases;
  /** Whether the target is the bundled server, which permits everything and ends with the run. */
  readonly isBundled: boolean;
  readonly baseline: RunHeader['baseline'];
  readonly authentication: Run['authentication'];
}

export function runHeaderOf({ runId, target, options, chosen, baseline }: RunPlan, findings: Findings): RunHeader {
  const { serverVersion, notSupported, aliases, nodes, anonymous } = findings;
  return {
    type: 'run',
    version,
    runId,
    startedAt: new Date().toISOString(),
    target: {
      name: target.name,
      url: target.url,
      ...(serverVersion === undefined ? {} : { serverVersion }),
      ...(target.route?.insecure && { insecure: true }),
    },
    notSupported: notSupported.map(withPublicPlace),
    deviations: target.deviations.map(withPublicPlace),
    ...(aliases.length === 0 ? {} : { aliases }),
    disposable: target.disposable,
    nodes,
    ...(anonymous === undefined ? {} : { anonymous }),
    choice: chosen.choice,
    ...(asksForKinds(options) && { kinds: chosen.kinds }),
    workers: Number(options.workers),
    ...(options.again === undefined ? {} : { command: options.again }),
    ...(options.evidence && { evidence: options.evidence }),
    ...(options.strict && { strict: true }),
    ...(baseline && { baseline: { ...baseline, file: publicPath(baseline.file) } }),
  };
}

/** Returns a row of a target file whose place tells nothing of this machine. */
const withPublicPlace = <Row extends { readonly at?: string }>(row: Row): Row =>
  row.at === undefined ? row : { ...row, at: publicPath(row.at) };

/** Returns the inputs of the workers. */
export function runOf({ runId, target, options, chosen, baseline, authentication }: RunPlan, findings: Findings): Run {
  const { notSupported, aliases, undeletable, anonymousAccess, node, only } = findings;
  return {
    runId,
    target: { ...target, notSupported, aliases, ...(only && { only }) },
    directory: resolve(options.output),
    choice: chosen.choice,
    ...(chosen.kinds.length > 0 && { kinds: chosen.kinds }),
    ...(options.allure !== undefined && { showsCases: true, ...(!options.strict && { onlyRequired: true as const }) }),
    ...(baseline && { known: baseline.failed }),
    ...(options.evidence && { evidence: options.evidence }),
    // The cases of a run share the namespace of its user.
    atOnce: only !== undefined ? 1 : Math.max(1, Math.floor(Number(options.concurrency) / Number(options.workers))),
    undeletable,
    ...(anonymousAccess === undefined ? {} : { anonymousAccess }),
    ...(options.timeout === undefined ? {} : { answerTimeout: Number(options.timeout) * 1000 }),
    ...(options.seed === undefined ? {} : { seed: Number(options.seed) }),
    ...(options.histories === undefined ? {} : { histories: Number(options.histories) }),
    ...(options.recoveryTimeout === undefined ? {} : { recoveryTimeout: Number(options.recoveryTimeout) * 1000 }),
    ...(node === undefined ? {} : { node: node.facts }),
    ...(authentication && { authentication }),
  };
}

/** Returns six hexadecimal digits, the first of them a letter, so that YAML does not parse the id as a number. */
export function newRunId(): string {
  const [first = 0, ...more] = randomBytes(4);
  return `${'abcdf'[first % 5]}${Buffer.from(more).toString('hex').slice(1)}`;
}
