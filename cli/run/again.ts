// The command that would start the same run again, for the report to print: `run --target server.yaml --fixtures dir`.
import type { Command, Option } from 'commander';

/** What chooses cases, or says where the report goes: a reader of the report gives it again. */
const left = new Set([
  ...['chapter', 'grep', 'profile', 'readOnly', 'shard', 'list'],
  ...['baseline', 'output', 'evidence', 'record', 'workers'],
]);

/** Options whose value is a secret, and the variable of a shell that holds it in the reader's hands. */
const secrets: Readonly<Record<string, string>> = { token: '"$TOKEN"' };

/** The name of the command and its options as they were given, without those that choose cases. No secret is in it. */
export function againOf(command: Command): string {
  const words = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (left.has(name) || command.getOptionValueSource(name) !== 'cli') return [];
    const secret = secrets[name];
    return secret === undefined ? given(option, command.getOptionValue(name)) : [`${option.long} ${secret}`];
  });
  return ['npx kube-api-conformance', command.name(), ...words].join(' ');
}

function given(option: Option, value: unknown): string[] {
  if (typeof value === 'boolean') return value === option.negate ? [] : [`${option.long}`];
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return [`${option.long} ${quoted(text.replace(/^(https?:\/\/)[^@/]*@/, '$1'))}`];
}

/** The text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
