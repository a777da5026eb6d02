// Every regular expression reads adversarial text, made from its own structure, in time that grows with its length.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { attacksOn, matcher, regularExpressionsIn } from './regularExpressions.js';

/** The folders whose code reads texts of clients and of targets. */
const folders = ['matrix', 'reference-server', 'suites', 'reports', 'cli', 'node-agent'];
/** The characters of a text, and the CPU time for it: 50 times what a text needs that is read once. */
const [length, budget] = [50_000, 500];
/** How long one pattern may take before its process is ended: nothing else ends an exponential one. */
const patience = 120_000;

/** The files that make expressions at run time: from constants, from names, or for an engine that does not backtrack. */
const made = [
  'cli/run/servers.ts',
  'cli/target/environment.ts',
  'reference-server/codecs/yamlDump.ts',
  'reference-server/edge/faultInjection.ts',
  'reference-server/exactJson.ts',
  'reference-server/later/cel/patternSyntax.ts',
  'reference-server/later/customresources/formats.ts',
  'reference-server/schema/formats.ts',
  'reports/render/html/body.ts',
  'suites/client/aliases.ts',
  'suites/client/belonging.ts',
  'suites/connect/attaches.ts',
  'suites/connect/connections.ts',
  'suites/histories/brokenServers.ts',
  'suites/objects/kinds/values.ts',
  'suites/parameters/calls.ts',
  'suites/requirements/pattern.ts',
  'suites/responses/transport.ts',
  'suites/validation/integers.ts',
];

interface Told {
  readonly begins?: string;
  readonly key: string;
  readonly milliseconds?: number;
  readonly attack?: object;
}

it('is read in linear time', async () => {
  const found = await regularExpressionsIn(join(import.meta.dirname, '../..'), folders);
  // A file that is new here needs a look: what of its expression comes from outside?
  expect(new Set(found.filter(({ pattern }) => pattern === undefined).map(({ file }) => file))).toEqual(new Set(made));
  const patterns = new Map(
    found.flatMap(({ file, pattern }) =>
      pattern === undefined ? [] : [[`/${pattern.source}/${pattern.flags}`, { file, ...pattern }] as const],
    ),
  );
  expect(patterns.size).toBeGreaterThan(300);
  const child = spawn(process.execPath, ['--input-type=module', '-e', matcher], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  for (const [key, { file, source, flags }] of patterns)
    child.stdin.write(
      `${JSON.stringify({ key: `${file}: ${key}`, source, flags, length, budget, attacks: attacksOn(source) })}\n`,
    );
  child.stdin.end();
  const slow: Told[] = [];
  let [under, done] = ['', 0];
  let late: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(late);
    late = setTimeout(() => child.kill('SIGKILL'), patience);
    const told = JSON.parse(line) as Told;
    under = told.begins ?? '';
    if (told.begins === undefined) done += 1;
    if ((told.milliseconds ?? 0) > budget) slow.push(told);
  }
  clearTimeout(late);
  expect([under, slow]).toEqual(['', []]);
  expect(done).toBe(patterns.size);
});

it('finds a pattern that is ambiguous', () => {
  expect(attacksOn('^(?:a+)+$')).toContainEqual({ start: '', repeated: 'a', end: '!' });
  expect(attacksOn('^"(?:[^"\\\\]|\\\\.)*"$')).toContainEqual({ start: '"', repeated: 'a', end: '!' });
});
