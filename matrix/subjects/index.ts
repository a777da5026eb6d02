// Every subject set, by name. The row of a requirement names its subject set.
import { admissionSets } from './admission.js';
import { authenticationSets } from './authentication.js';
import type { Subject } from './build.js';
import { certificatesSets } from './certificates.js';
import { connectSets } from './connect.js';
import { deleteOptionsSets } from './deleteOptions.js';
import { generalSets } from './general.js';
import { historiesSets } from './histories.js';
import { logSets } from './log.js';
import { openapiSets } from './openapi.js';
import { parametersSets } from './parameters.js';
import { patchSets } from './patch.js';
import { protobufSets } from './protobuf.js';
import { proxySets } from './proxy.js';
import { selectorsSets } from './selectors.js';
import { serviceAccountsSets } from './serviceAccounts.js';
import { subresourcesSets } from './subresources.js';
import { surfaceSets } from './surface.js';
import { tokenReviewSets } from './tokenReview.js';
import { transportSets } from './transport.js';
import { validationSets } from './validation.js';
import { versionsSets } from './versions.js';
import { watchSets } from './watch.js';

export type { OperationSubject, Subject } from './build.js';
export type { invalidBodies } from './invalidBodies.js';
export type { allowedBodies, defaultedBodies, fixedFields } from './validation.js';

export const subjectSets = {
  ...generalSets,
  ...patchSets,
  ...parametersSets,
  ...selectorsSets,
  ...subresourcesSets,
  ...surfaceSets,
  ...versionsSets,
  ...deleteOptionsSets,
  ...admissionSets,
  ...serviceAccountsSets,
  ...tokenReviewSets,
  ...validationSets,
  ...watchSets,
  ...historiesSets,
  ...protobufSets,
  ...authenticationSets,
  ...certificatesSets,
  ...connectSets,
  ...proxySets,
  ...logSets,
  ...openapiSets,
  ...transportSets,
} as const satisfies Record<string, readonly Subject[]>;

export type SubjectSet = keyof typeof subjectSets;

/** The subjects of a set, as its checks get them. */
export type SubjectOf<S extends SubjectSet> = (typeof subjectSets)[S][number];
