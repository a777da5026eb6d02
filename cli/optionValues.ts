// The values of options that have a fixed set of them, but for those that only the reference server knows.
import type { Option } from 'commander';
import { chapters, featureNames, profiles } from '../suites/requirements/index.js';

/** Besides the choices that an option names itself. */
const known: Readonly<Record<string, readonly string[]>> = {
  '--chapter': Object.keys(chapters),
  '--features': featureNames,
  '--profile': profiles,
  '--target': ['reference-server', 'kube-apiserver'],
};

/** Returns the known values of an option; none where there are no such. */
export const valuesOf = ({ argChoices, long }: Option): readonly string[] => argChoices ?? known[long ?? ''] ?? [];
