// `npm run report:allure`: the evidence of a run as an Allure report. A tool of this repository, not of the package.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FileSystemWriter, ReporterRuntime } from 'allure-js-commons/sdk/reporter';
import { EvidenceError, judge, readEvidence } from '../index.js';
import { firstLine } from '../render/visible.js';
import { removeAnalytics } from './analytics.js';
import { categories, environmentOf, writeResults } from './results.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', default: join('report', 'allure') } },
});
const files = positionals.length > 0 ? positionals : [join('report', 'evidence.jsonl')];
const directory = resolve(values.output);
const resultsDir = `${directory}-results`;

try {
  const evidence = await readEvidence(files);
  const verdict = judge(evidence);
  for (const made of [directory, resultsDir]) rmSync(made, { recursive: true, force: true });
  mkdirSync(resultsDir, { recursive: true });
  const runtime = new ReporterRuntime({
    writer: new FileSystemWriter({ resultsDir }),
    environmentInfo: environmentOf(verdict, evidence),
    categories: categories.map((category) => ({
      ...category,
      matchedStatuses: [...category.matchedStatuses] as never,
    })),
  });
  const tests = writeResults(runtime, verdict, evidence);
  runtime.writeEnvironmentInfo();
  runtime.writeCategoriesDefinitions();
  generate(firstLine(`${evidence.run?.target.name ?? 'no target'}: ${verdict.line}`));
  removeAnalytics(directory);
  process.stdout.write(`${tests} tests of ${verdict.cases.length} cases: npx allure open ${directory}\n`);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof EvidenceError) && code !== 'ENOENT') throw error;
  process.stderr.write(`${message}; give the evidence.jsonl of a run\n`);
  process.exitCode = 2;
}

/** Several files, not one: a browser would have to read all of a large run before it shows a thing. */
function generate(name: string): void {
  const allure = join(dirname(createRequire(import.meta.url).resolve('allure')), '..', 'cli.js');
  const flags = ['--output', directory, `--report-name=${name}`, '--group-by', 'parentSuite,suite'];
  execFileSync(process.execPath, [allure, 'awesome', resultsDir, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] });
}
