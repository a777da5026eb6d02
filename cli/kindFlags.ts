// The flags of `serve` that make it a server of another age, set-up or speed.
import type { Command } from 'commander';
import { featureNames, type ServerOptions } from '../reference-server/index.js';
import { unknownName } from './nearest.js';
import { UsageError } from './usageError.js';

/** What the command line holds of them. */
export interface KindFlags {
  readonly without?: readonly string[];
  readonly kubeVersion?: string;
  readonly authorizationMode?: NonNullable<ServerOptions['authorizationMode']>;
  readonly latency?: number;
  readonly basePath?: string;
  readonly crashOn?: string;
  /** Seconds. */
  readonly restartAfter?: number;
}

const longestRestart = 600;

/** Adds the flags to a command. */
export function addKindFlags(command: Command): void {
  command
    .option(
      '--without <features>',
      'serve without these features, separated by commas; docs/reference-server.md lists the names',
      namesOf,
    )
    .option('--kube-version <version>', 'report this version in /version, such as 1.36 (default: 1.5)')
    .option(
      '--authorization-mode <mode>',
      'AlwaysAllow, or RBAC with the roles of a fresh cluster (default: AlwaysAllow)',
    )
    .option('--latency <milliseconds>', 'delay every request by this time, at most 10000', (text) =>
      numberOf('--latency', text, 10_000),
    )
    .option('--base-path <path>', 'serve the whole API below this path, such as /k8s/c1')
    .option(
      '--crash-on <request>',
      "exit with code 70 at the first such request, for example 'PUT /api/v1/namespaces/*/configmaps/*'",
    )
    .option('--restart-after <seconds>', 'restart once, this long after the crash, at the same address', (text) =>
      numberOf('--restart-after', text, longestRestart),
    );
}

/** The options that the flags give; those that were not given are absent. */
export function kindOptions({
  without,
  kubeVersion,
  authorizationMode,
  latency,
  basePath,
  crashOn,
  restartAfter,
}: KindFlags) {
  if (restartAfter !== undefined && crashOn === undefined)
    throw new UsageError('serve: --restart-after requires --crash-on, which is missing');
  return {
    ...(without === undefined ? {} : { without }),
    ...(kubeVersion === undefined ? {} : { kubeVersion }),
    ...(authorizationMode === undefined ? {} : { authorizationMode }),
    ...(latency === undefined ? {} : { latency }),
    ...(basePath === undefined ? {} : { basePath }),
    ...(crashOn === undefined ? {} : { crashOn }),
  };
}

function namesOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const strange = names.find((name) => name !== '' && !name.startsWith('resource:') && !featureNames.includes(name));
  if (strange !== undefined) {
    const known = [...featureNames, 'resource:<group>/<plural>'];
    throw new UsageError(`serve: --without: ${unknownName('feature', strange, known)}`);
  }
  return [...before, ...names.filter((name) => name !== '')];
}

function numberOf(flag: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new UsageError(`serve: ${flag}: "${text}"; give a whole number from 0 to ${most}`);
}
