// After the last case: one file of evidence, the verdict and the reports.
import { createReadStream, createWriteStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EvidenceError, judge, readEvidence, renderSummary, type Verdict, writeReports } from '../../reports/index.js';
import { UsageError } from '../usageError.js';

/** Merges the parts of the evidence, judges it and writes the reports. Returns the exit code of the verdict. */
export async function report(directory: string, parts: string): Promise<number> {
  const merged = join(directory, 'evidence.jsonl');
  const out = createWriteStream(merged, { mode: 0o600 });
  // each pipeline leaves its listeners there, and there is a part for each worker
  out.setMaxListeners(0);
  for (const part of readdirSync(parts).sort())
    await pipeline(createReadStream(join(parts, part)), out, { end: false });
  await new Promise<void>((done) => out.end(done));
  rmSync(parts, { recursive: true });
  const evidence = await readEvidence(merged).catch((error: unknown) => {
    throw error instanceof EvidenceError ? new UsageError(`the evidence cannot be read: ${error.message}`) : error;
  });
  const verdict = judge(evidence);
  const paths = await writeReports(verdict, evidence, directory);
  process.stdout.write(`${renderSummary(verdict)}\n${countLine(verdict)}\nreport: ${paths.html}\n`);
  return verdict.exitCode;
}

/** One line for scripts: how many cases passed and failed, and how many were not judged. */
function countLine({ cases }: Verdict): string {
  const count = (...verdicts: readonly Verdict['cases'][number]['verdict'][]): number =>
    cases.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return (
    `cases: ${count('passed')} passed, ${count('failed', 'not-testable')} failed, ${count('deviation')} deviations, ` +
    `${count('not-offered')} not offered, ${count('not-run')} not run`
  );
}
