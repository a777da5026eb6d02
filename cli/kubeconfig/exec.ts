// Credential plugins of kubeconfigs: a command that prints an ExecCredential, run without user input.
import { execFile, spawnSync } from 'node:child_process';
import { unknownField } from '../../matrix/api/nearest.js';
import type { Credential } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { besideFile } from '../files.js';
import { flawOf } from './bearer.js';
import { type KubeconfigEntry, optionalText } from './context.js';

/** The time limit of a plugin, in milliseconds. */
const timeout = 60_000;
const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const known = ['apiVersion', 'command', 'args', 'env', 'installHint', 'provideClusterInfo', 'interactiveMode'];

/** The credential from a plugin, and its expiry as in `Date.now()`. */
export interface ExecCredential {
  readonly credential: Credential;
  readonly until?: number;
}

/** The cluster information for a plugin that requests it. */
export interface ClusterInfo {
  readonly server: string;
  readonly [field: string]: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** A source of credentials that can be renewed. Both methods throw UsageError. */
export interface CredentialSource {
  now(): ExecCredential;
  /** Does the same without blocking the process. */
  again(): Promise<ExecCredential>;
}

interface Ended {
  readonly code?: string | undefined;
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Reads the `exec` of a user. Returns a source that runs the plugin. Both throw UsageError with the reason and a
 * remedy.
 */
export function execPlugin({ file, fields }: KubeconfigEntry, cluster: ClusterInfo): CredentialSource {
  const where = `${file}: exec`;
  const unknownName = Object.keys(fields).find((key) => !known.includes(key));
  if (unknownName !== undefined) throw new UsageError(`${where}: ${unknownField(unknownName, known)}`);
  const command = optionalText(fields.command, `${where}: command`) ?? '';
  if (command === '') throw new UsageError(`${where}: command is missing`);
  const apiVersion = optionalText(fields.apiVersion, `${where}: apiVersion`) ?? '';
  if (!versions.includes(apiVersion))
    throw new UsageError(`${where}: apiVersion ${apiVersion || 'is missing'}: plugins speak ${versions.join(' or ')}`);
  if (fields.interactiveMode === 'Always')
    throw new UsageError(`${where}: interactiveMode Always needs a user at a terminal; give --token instead`);
  const args = listOf(fields.args, `${where}: args`).map(
    (arg, index) => optionalText(arg, `${where}: args[${index}]`) ?? '',
  );
  const env = Object.fromEntries(listOf(fields.env, `${where}: env`).map((row) => variable(row, `${where}: env`)));
  const spec = { interactive: false, ...(fields.provideClusterInfo === true && { cluster }) };
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  const hint = optionalText(fields.installHint, `${where}: installHint`);
  // A path is relative to the file; a bare name is looked up on the PATH.
  const program = command.includes('/') ? besideFile(file, command) : command;
  const options = {
    env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info },
    encoding: 'utf8',
    timeout,
  } as const;
  const fail = (why: string): never => {
    throw new UsageError(oneLine(`${where}: ${command}: ${why}${hint === undefined ? '' : `; ${hint}`}`));
  };
  const read = ({ code, status, stdout, stderr }: Ended): ExecCredential => {
    if (code === 'ETIMEDOUT') return fail(`gave no credentials within ${timeout / 1000} s`);
    if (code !== undefined) return fail(`cannot be run (${code})`);
    if (status !== 0) return fail(`exited with ${status}: ${stderr.trim().slice(0, 300)}`);
    return readCredential(stdout, apiVersion, fail);
  };
  return {
    now: () => {
      const ended = spawnSync(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      const { error, status, signal } = ended;
      return read({ ...ended, status: status ?? signal, code: (error as NodeJS.ErrnoException | undefined)?.code });
    },
    again: () =>
      new Promise((resolve, reject) => {
        const plugin = execFile(program, args, options, (error, stdout, stderr) => {
          const status = error === null ? 0 : (plugin.exitCode ?? plugin.signalCode);
          const isLate = error?.killed === true;
          const code = isLate ? 'ETIMEDOUT' : typeof error?.code === 'string' ? error.code : undefined;
          try {
            resolve(read({ code, status, stdout, stderr }));
          } catch (refused) {
            reject(refused);
          }
        });
        plugin.stdin?.end();
      }),
  };
}

function readCredential(output: string, apiVersion: string, fail: (why: string) => never): ExecCredential {
  let printed: Fields = {};
  try {
    printed = JSON.parse(output) as Fields;
  } catch {
    fail('the output is not JSON');
  }
  if (printed?.kind !== 'ExecCredential' || printed.apiVersion !== apiVersion)
    return fail(`the output is not an ExecCredential of ${apiVersion}`);
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = (printed.status ?? {}) as Fields;
  const certificate = textOf(clientCertificateData);
  const key = textOf(clientKeyData);
  if ((certificate === undefined) !== (key === undefined))
    return fail('clientCertificateData and clientKeyData must be given together');
  const bearer = textOf(token);
  if (bearer === undefined && certificate === undefined) return fail('it gave neither a token nor a certificate');
  const flaw = bearer === undefined ? undefined : flawOf(bearer);
  if (flaw !== undefined) return fail(flaw);
  const until = Date.parse(textOf(expirationTimestamp) ?? '');
  return {
    credential: {
      ...(bearer !== undefined && { token: bearer }),
      ...(certificate !== undefined && key !== undefined && { certificate, key }),
    },
    ...(Number.isFinite(until) && { until }),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const oneLine = (message: string): string => message.replace(/(?<!\s)\s*\n\s*/g, ' ');

function listOf(value: unknown, where: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new UsageError(`${where}: must be a list`);
  return value;
}

function variable(row: unknown, where: string): [string, string] {
  const { name, value } = (row ?? {}) as Fields;
  const known = optionalText(name, `${where}: name`);
  if (known === undefined) throw new UsageError(`${where}: name is missing`);
  return [known, optionalText(value, `${where}: ${known}`) ?? ''];
}
