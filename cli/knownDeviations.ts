// The deviations from a requirement in the package's target files, which show the servers that have them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { requirementsOf, subjectsOf } from '../matrix/requirements/index.js';
import { packageRoot } from './package.js';
import { readTargetFile } from './target/file.js';

/** A deviation in one of the package's target files. */
interface KnownDeviation {
  /** The name of the target. */
  readonly target: string;
  /** Patterns of the affected subjects; empty if all are affected. */
  readonly subjects: readonly string[];
  readonly reason: string;
}

/** Returns the deviations from a requirement, in the order of the target files. */
export function deviationsOf(requirementId: string): KnownDeviation[] {
  const folder = join(packageRoot, 'targets');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort(byVersion).flatMap((file) => {
    const { name = file, deviations } = readTargetFile(join(folder, file));
    return deviations
      .filter((deviation) => requirementsOf(deviation).includes(requirementId))
      .map((deviation) => ({ target: name, subjects: subjectsOf(deviation), reason: deviation.reason }));
  });
}

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
