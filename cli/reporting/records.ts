// The `record` and `servers` commands: records of runs, and the table of the servers in the records.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import {
  type Evidence,
  judge,
  parseRecord,
  recordOf,
  renderRecord,
  renderServers,
  renderServersPage,
  type ServerRecord,
  type Verdict,
} from '../../reports/index.js';
import { UsageError } from '../errors.js';
import { writeTextFile } from '../files.js';
import { evidenceAt, evidenceIn } from './evidence.js';

/** Registers `record`. */
export function registerRecord(program: Command): void {
  program
    .command('record')
    .description('write a record of a run: <target>.md to read, <target>.json for the command servers')
    .argument('<evidence...>', 'evidence.jsonl of the run, or the directory of its report')
    .option('--output <directory>', 'directory for the files', 'docs/reports')
    .action(async (paths: readonly string[], { output }: { readonly output: string }) => {
      const evidence = await evidenceIn(paths.flatMap(evidenceAt));
      writeRecord(judge(evidence), evidence, output);
    });
}

/** Registers `servers`. */
export function registerServers(program: Command): void {
  program
    .command('servers')
    .description('write a table of servers and chapters from the records in a directory')
    .argument('[records]', 'directory of the records', 'docs/reports')
    .option('--output <file>', 'file for the Markdown (default: standard output)')
    .option('--html <file>', 'file for a page whose chapters open to requirements, with every deviation')
    .action((records: string, { output, html }: { readonly output?: string; readonly html?: string }) => {
      const all = recordsIn(records);
      if (html !== undefined) writeTextFile(html, renderServersPage(all));
      const text = renderServers(all);
      if (output === undefined) process.stdout.write(text);
      else writeTextFile(output, text);
    });
}

/** Writes the record of a run into a directory. Throws UsageError if it cannot be written. */
export function writeRecord(verdict: Verdict, evidence: Evidence, directory: string): void {
  const record = recordOf(verdict, evidence);
  const path = join(directory, basename(record.name));
  writeTextFile(`${path}.md`, renderRecord(verdict, evidence));
  writeTextFile(`${path}.json`, `${JSON.stringify(record, null, 2)}\n`);
  process.stdout.write(`record: ${path}.md\n`);
}

/** Returns the records of a directory, sorted by name. Throws UsageError if there are none. */
function recordsIn(directory: string): ServerRecord[] {
  const files = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(directory).sort() : [];
  const records = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const record = parseRecord(readFileSync(join(directory, file), 'utf8'));
      if (record === undefined)
        throw new UsageError(`${join(directory, file)}: not a record of a run; make one with the command record`);
      return record;
    });
  if (records.length === 0)
    throw new UsageError(`${directory}: no records in this directory; make one with record or interop`);
  return records;
}
