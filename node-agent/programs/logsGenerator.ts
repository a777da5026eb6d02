// `logs-generator` of the image of Kubernetes' own tests: lines that look like those of requests.
import { randomBytes, randomInt } from 'node:crypto';
import { type Program, ProgramError, pause } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { numberOf, parseFlags } from './flags.js';

const methods = ['GET', 'POST', 'PUT'];
const namespaces = ['kube-system', 'default', 'ns'];

const pick = (all: readonly string[]): string => all[randomInt(all.length)] ?? '';

/** `logs-generator --log-lines-total COUNT --run-duration DURATION`: writes so many lines, evenly in that time. */
export const logsGenerator: Program = async ({ argv, stderr, signal }) => {
  const { valuesOf } = parseFlags(
    argv.slice(2).map((argument) => argument.replace(/^-(?=[a-z]{2})/, '--')),
    { valued: ['--log-lines-total', '--run-duration', '--linear-interval'] },
  );
  const total = numberOf(valuesOf('--log-lines-total')[0] ?? '0');
  const duration = secondsOf(valuesOf('--run-duration')[0] ?? '0');
  if (total === 0 || duration === 0) throw new ProgramError('give --log-lines-total and --run-duration', 2);
  for (let index = 0; index < total; index++) {
    const [, month, day, time] = /-(\d\d)-(\d\d)T(.*)Z/.exec(new Date().toISOString()) ?? [];
    const path = `/api/v1/namespaces/${pick(namespaces)}/pods/${randomBytes(2).toString('hex')}`;
    const line = `${index} ${pick(methods)} ${path} ${randomInt(200, 600)}`;
    await writeText(stderr, `I${month}${day} ${time}000       1 logs_generator.go:76] ${line}\n`);
    await pause(signal, (duration * 1000) / total);
  }
  return 0;
};

/** Parses a duration such as `1m30s` or `500ms`. Throws ProgramError. */
function secondsOf(text: string): number {
  const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
  if (!/^(\d{1,9}(\.\d{1,9})?(ms|s|m|h))+$|^0$/.test(text)) throw new ProgramError(`"${text}" is not a duration`, 2);
  const parts = text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|[smh])/g);
  return [...parts].reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0);
}
