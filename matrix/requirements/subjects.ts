// Every subject set, by name. The row of a requirement names its subject set.
import { admissionSets } from './subjects/admission.js';
import { authenticationSets } from './subjects/authentication.js';
import type { Subject } from './subjects/build.js';
import { certificatesSets } from './subjects/certificates.js';
import { connectSets } from './subjects/connect.js';
import { deleteOptionsSets } from './subjects/deleteOptions.js';
import { generalSets } from './subjects/general.js';
import { logSets } from './subjects/log.js';
import { openapiSets } from './subjects/openapi.js';
import { parametersSets } from './subjects/parameters.js';
import { patchSets } from './subjects/patch.js';
import { protobufSets } from './subjects/protobuf.js';
import { proxySets } from './subjects/proxy.js';
import { selectorsSets } from './subjects/selectors.js';
import { serviceAccountsSets } from './subjects/serviceAccounts.js';
import { subresourcesSets } from './subjects/subresources.js';
import { surfaceSets } from './subjects/surface.js';
import { tokenReviewSets } from './subjects/tokenReview.js';
import { validationSets } from './subjects/validation.js';
import { versionsSets } from './subjects/versions.js';
import { watchSets } from './subjects/watch.js';
import { watchGuaranteesSets } from './subjects/watchGuarantees.js';

export type { OperationSubject, Subject } from './subjects/build.js';
export type { invalidBodies } from './subjects/invalidBodies.js';
export type { defaultedBodies, fixedFields } from './subjects/validation.js';

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
  ...watchGuaranteesSets,
  ...protobufSets,
  ...authenticationSets,
  ...certificatesSets,
  ...connectSets,
  ...proxySets,
  ...logSets,
  ...openapiSets,
} as const satisfies Record<string, readonly Subject[]>;

/** The name of a subject set. */
export type SubjectSet = keyof typeof subjectSets;

/** The subjects of a set, as its checks get them. */
export type SubjectOf<S extends SubjectSet> = (typeof subjectSets)[S][number];
