// Broken servers: each fault breaks a good server in one way, and names the requirements that must fail.
import { importFaults } from '../../run/chapterFiles.js';
import { faults as ofAdmission } from './admission.js';
import { faults as ofFeatures } from './features.js';
import type { Fault } from './wire/fault.js';

const ofChapters = await importFaults<{ readonly faults: readonly Fault[] }>();
const all = [...ofChapters.flatMap(({ faults }) => faults), ...ofFeatures, ...ofAdmission];

/** Every broken server whose cases are of the interface. */
export const faults = all.filter(({ ofFound }) => !ofFound);

/** Every broken server whose cases are of a custom resource alone. */
export const faultsOfFound = all.filter(({ ofFound }) => ofFound);
