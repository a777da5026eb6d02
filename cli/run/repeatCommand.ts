// The command that repeats a run, for its report: `run --target server.yaml --fixtures dir`.
import type { Command, Option } from 'commander';
import { publicPath } from '../files.js';

/** Options that choose cases or name outputs: the reader of the report chooses them again. */
const left = new Set([
  ...['chapter', 'grep', 'failed', 'profile', 'readOnly', 'shard', 'list'],
  ...['baseline', 'history', 'output', 'evidence', 'workers'],
]);

/** Options with a secret value, and the shell variable that replaces the value. */
const secrets: Readonly<Record<string, string>> = { token: '"$TOKEN"' };

/**
 * Returns the name of the command and the given options, without those that choose cases, without secrets, and without
 * paths of this machine.
 */
export function repeatCommand(command: Command): string {
  const words = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (left.has(name) || !['cli', 'env'].includes(command.getOptionValueSource(name) ?? '')) return [];
    const secret = secrets[name];
    return secret === undefined ? given(option, command.getOptionValue(name)) : [`${option.long} ${secret}`];
  });
  return ['npx kube-api-conformance', command.name(), ...words].join(' ');
}

function given(option: Option, value: unknown): string[] {
  if (typeof value === 'boolean') return value === option.negate ? [] : [`${option.long}`];
  const text = publicPath(Array.isArray(value) ? value.join(',') : String(value));
  return [`${option.long} ${quoted(text.replace(/^(https?:\/\/)[^@/]*@/, '$1'))}`];
}

/** Returns the text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
