// What the target files of the package say of a requirement: the servers that are known to deviate from it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { currentId, type Deviation, requirementsOf, subjectsOf } from '../matrix/requirements/index.js';
import { packageRoot } from './package.js';

/** A deviation that a target file of the package declares. */
interface KnownDeviation {
  /** The name of the target. */
  readonly target: string;
  /** Patterns of the subjects that it is about; none where it is about all. */
  readonly subjects: readonly string[];
  readonly reason: string;
}

/** The deviations from a requirement, in the order of the target files. */
export function deviationsOf(requirementId: string): KnownDeviation[] {
  const folder = join(packageRoot, 'targets');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort(byVersion).flatMap((file) => {
    const { name, deviations = [] } = load(readFileSync(join(folder, file), 'utf8')) as TargetFile;
    return deviations
      .filter((deviation) => requirementsOf(deviation).map(currentId).includes(requirementId))
      .map((deviation) => ({ target: name, subjects: subjectsOf(deviation), reason: deviation.reason }));
  });
}

/** The part of a target file that is read here; the tests run every file of the package. */
interface TargetFile {
  readonly name: string;
  readonly deviations?: readonly Deviation[];
}

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
