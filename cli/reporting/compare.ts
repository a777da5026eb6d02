// The `compare` command: shows runs side by side, differences first.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type ComparedRun,
  compareRuns,
  type Evidence,
  judge,
  renderComparison,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from '../../reports/index.js';
import { UsageError } from '../errors.js';
import { evidenceAt, evidenceIn, reportFileAt, reportIn } from './evidence.js';

/** Registers `compare`. */
export function registerCompare(program: Command): void {
  program
    .command('compare')
    .description('compare runs with the first one: what is worse, what is better')
    .argument('<runs...>', 'two or more runs; each is the directory of a report, an evidence.jsonl or a report.json')
    .option('--output <directory>', 'directory for compare.html, compare.md and compare.json', 'report')
    .action(async (paths: readonly string[], { output }: { readonly output: string }) => {
      process.exitCode = await compare(paths, resolve(output));
    });
}

/** Compares runs. Returns 1 if a later run fails a case that the first one does not fail, and 0 otherwise. */
async function compare(paths: readonly string[], directory: string): Promise<0 | 1> {
  if (paths.length < 2) throw new UsageError('compare: one run is not enough; give two or more');
  const read: { readonly path: string; readonly evidence: Evidence }[] = [];
  for (const path of paths) read.push({ path, evidence: await evidenceOf(path) });
  const names = namesOf(read);
  const runs = read.map(
    // A shard is compared only in the cases that it ran.
    ({ evidence }, index): ComparedRun => {
      return { name: names[index] ?? '', verdict: judge(evidence, { shardAlone: true }), evidence };
    },
  );
  const comparison = compareRuns(runs);
  const page = join(directory, 'compare.html');
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(page, renderComparison(comparison));
    writeFileSync(join(directory, 'compare.md'), renderComparisonMarkdown(comparison));
    writeFileSync(join(directory, 'compare.json'), renderComparisonJson(comparison));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).message;
    throw new UsageError(`no comparison can be written into ${directory} (${why}): give another --output`);
  }
  process.stdout.write(`${renderComparisonText(comparison)}\ncomparison: ${page}\n`);
  return comparison.exitCode;
}

/** A report.json suffices if there is no evidence. */
async function evidenceOf(path: string): Promise<Evidence> {
  const report = reportFileAt(path);
  return report === undefined ? await evidenceIn(evidenceAt(path)) : await reportIn(report);
}

/** Returns the column names of runs: the targets, with the paths if the targets are not unique. */
function namesOf(read: readonly { readonly path: string; readonly evidence: Evidence }[]): string[] {
  const targets = read.map(({ path, evidence: { run } }) => run?.target.name ?? path);
  return new Set(targets).size === targets.length
    ? targets
    : read.map(({ path }, index) => `${targets[index]} (${path})`);
}
