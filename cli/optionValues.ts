// The values of options that have a fixed set of them.
import type { Option } from 'commander';
import { featureNames as serverFeatures } from '../reference-server/later/index.js';
import { chapters, featureNames, profiles } from '../suites/requirements/index.js';

/** Besides the choices that an option names itself. */
const known: Readonly<Record<string, readonly string[]>> = {
  '--chapter': Object.keys(chapters),
  '--features': featureNames,
  '--profile': profiles,
  '--target': ['reference-server', 'kube-apiserver'],
  '--without': serverFeatures,
};

/** Returns the known values of an option; none where there are no such. */
export const valuesOf = ({ argChoices, long }: Option): readonly string[] => argChoices ?? known[long ?? ''] ?? [];
