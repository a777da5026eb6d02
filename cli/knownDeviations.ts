// The deviations from a requirement in the package's target files, which show the servers that have them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { type Deviation, requirementsOf, subjectsOf } from '../suites/requirements/index.js';
import { packageRoot } from './package.js';

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
    const { name, deviations = [] } = load(readFileSync(join(folder, file), 'utf8')) as TargetFile;
    return deviations
      .filter((deviation) => requirementsOf(deviation).includes(requirementId))
      .map((deviation) => ({ target: name, subjects: subjectsOf(deviation), reason: deviation.reason }));
  });
}

/** The fields of a target file that are read here; the tests run all of the package's files. */
interface TargetFile {
  readonly name: string;
  readonly deviations?: readonly Deviation[];
}

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
