// The `report` command: renders runs, each from its evidence, as a report, a comparison, deviations, a record or a table.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type ComparedRun,
  compareRuns,
  declarable,
  type Evidence,
  judge,
  parseRecord,
  presentFile,
  recordFileOf,
  recordOf,
  renderComparison,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
  renderDeviations,
  renderRecord,
  renderServers,
  renderServersPage,
  type ServerRecord,
} from '../../reports/index.js';
import { type EvidenceChoice, evidenceChoices } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { checkFolder, publicPath, writeTextFile } from '../files.js';
import { termRows, widthOf } from '../terminal.js';
import { checkFilled, evidenceAtAll, evidenceIfAny, evidenceIn, runAt } from './evidence.js';
import { checkOwn } from './outputFolder.js';
import { reportOn } from './write.js';

interface ReportFlags {
  readonly as: keyof typeof renderings;
  readonly output?: string;
  readonly evidence?: EvidenceChoice;
  readonly history?: string;
}

/** What a run is rendered as. Each writes its files, or prints, and returns the exit code. */
const renderings = { report, comparison, deviations, record, servers } as const;

/** The directories of what has several files: a folder holds one kind of them. */
const defaultOutputs = { report: 'report', comparison: 'comparison', record: 'records' } as const;

export function registerReport(program: Command): void {
  program
    .command('report')
    .description('render runs from their evidence, as a report in every format, as a comparison, or as another text')
    .argument('<runs...>', 'evidence.jsonl.gz or its directory; of a comparison report.json too, of servers records')
    .addOption(
      new Option('--as <rendering>', 'what is made of the runs; see below')
        .choices(Object.keys(renderings))
        .default('report'),
    )
    .option(
      '--output <path>',
      'directory (default: report, comparison or records); of deviations and servers a file (default: print)',
    )
    .addOption(
      new Option(
        '--evidence <which>',
        'passed cases whose exchange a report shows (default: as the run chose)',
      ).choices(evidenceChoices),
    )
    .option('--history <file>', 'the verdicts of earlier runs, which the page of a report shows; this one is added')
    .addHelpText('after', renderingsHelp)
    .action(async (paths: readonly string[], { as, ...flags }: ReportFlags) => {
      for (const name of ['evidence', 'history'] as const)
        if (flags[name] !== undefined && as !== 'report')
          throw new UsageError(`--${name} is for a report: not for ${as}`);
      process.exitCode = await renderings[as](paths, flags);
    });
}

const meanings: Readonly<Record<keyof typeof renderings, string>> = {
  report: 'every format of a report, of one run or of all its shards',
  comparison: 'compare.html, compare.md and compare.json: what is worse and better than in the first of the runs',
  deviations: 'the failures of a run as YAML, for a target file',
  record: '<target>.md to read, and <target>.json for the table of servers',
  servers: 'a table of the records in a directory; HTML, with every deviation, if the file ends with .html',
};

const renderingsHelp = (): string =>
  ['\nRenderings:', ...termRows(Object.entries(meanings), widthOf(process.stdout)), ''].join('\n');

type Flags = Omit<ReportFlags, 'as'>;

async function report(
  paths: readonly string[],
  { output = defaultOutputs.report, evidence, history }: Flags,
): Promise<number> {
  const { files, empty } = evidenceAtAll(paths);
  checkFilled(files);
  refuseOther(output, files);
  checkFolder(output);
  checkOwn(output);
  return await reportOn(files, resolve(output), { empty, ...(evidence && { evidence }), ...(history && { history }) });
}

/** Throws UsageError if a directory has the evidence of a run that is not rendered: a folder never holds two runs. */
function refuseOther(directory: string, files: readonly string[]): void {
  const [own] = evidenceIfAny(directory);
  const rendered = new Set(files.map((file) => resolve(presentFile(file))));
  if (own === undefined || rendered.has(resolve(own))) return;
  throw new UsageError(`${directory} has the evidence of another run: give a folder of its own with --output`);
}

/** Returns 1 if a later run fails a case that the first one does not fail, and 0 otherwise. */
async function comparison(paths: readonly string[], { output = defaultOutputs.comparison }: Flags): Promise<number> {
  if (paths.length < 2) throw new UsageError('report --as comparison: one run is not enough; give two or more');
  const runs: Evidence[] = [];
  for (const path of paths) runs.push(await runAt(path));
  const targets = runs.map(({ run }, index) => run?.target.name ?? String(paths[index]));
  const shown = paths.map(publicPath);
  const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;
  const apart = (index: number): string => (isUnique(shown) ? `${shown[index]}` : `run ${index + 1}`);
  const compared = compareRuns(
    runs.map(
      (evidence, index): ComparedRun => ({
        name: isUnique(targets) ? `${targets[index]}` : `${targets[index]} (${apart(index)})`,
        // A shard is compared only in the cases that it ran.
        verdict: judge(evidence, { shardAlone: true }),
        evidence,
      }),
    ),
  );
  const page = join(resolve(output), 'compare.html');
  writeTextFile(page, renderComparison(compared));
  writeTextFile(join(output, 'compare.md'), renderComparisonMarkdown(compared));
  writeTextFile(join(output, 'compare.json'), renderComparisonJson(compared));
  process.stdout.write(`${renderComparisonText(compared)}\ncomparison: ${page}\n`);
  return compared.exitCode;
}

async function deviations(paths: readonly string[], { output }: Flags): Promise<number> {
  const evidence = await evidenceIn(evidenceAtAll(paths).files);
  const verdict = judge(evidence, { shardAlone: true });
  printOrWrite('deviations', renderDeviations(verdict, evidence), output);
  const blocked = verdict.cases.filter(({ verdict, missing }) => verdict === 'blocked' || missing).length;
  const { cases, unanswered } = declarable(verdict);
  process.stderr.write(
    `${cases.length} failed cases are declared: write a reason for each row that is to be explained` +
      (unanswered.length === 0 ? '' : `; ${unanswered.length} that the server did not answer are left out`) +
      (blocked === 0 ? '\n' : `; ${blocked} without a verdict or blocked cannot be: fix them first\n`),
  );
  return 0;
}

async function record(paths: readonly string[], { output = defaultOutputs.record }: Flags): Promise<number> {
  const evidence = await evidenceIn(evidenceAtAll(paths).files);
  const verdict = judge(evidence);
  const made = recordOf(verdict, evidence);
  const path = join(output, recordFileOf(made.name));
  writeTextFile(`${path}.md`, renderRecord(verdict, evidence));
  writeTextFile(`${path}.json`, `${JSON.stringify(made, null, 2)}\n`);
  process.stdout.write(`record: ${path}.md\n`);
  return 0;
}

async function servers(paths: readonly string[], { output }: Flags): Promise<number> {
  const records = paths.flatMap(recordsAt);
  printOrWrite('servers', output?.endsWith('.html') ? renderServersPage(records) : renderServers(records), output);
  return 0;
}

/** Prints a text, or writes it into a file and prints its path. */
function printOrWrite(what: string, text: string, file: string | undefined): void {
  if (file === undefined) process.stdout.write(text);
  else {
    writeTextFile(file, text);
    process.stdout.write(`${what}: ${file}\n`);
  }
}

/** Reads the records of a directory, in the order of their names. Throws UsageError if there are none. */
function recordsAt(path: string): ServerRecord[] {
  const files = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [];
  const records = files.filter((file) => file.endsWith('.json')).map(readRecord);
  if (records.length === 0)
    throw new UsageError(`${path}: no records in this directory; make one with report --as record`);
  return records;
}

function readRecord(file: string): ServerRecord {
  const read = parseRecord(readFileSync(file, 'utf8'));
  if (read === undefined) throw new UsageError(`${file}: not a record of a run; make one with report --as record`);
  return read;
}
