// Broken servers: each row breaks a good server in one way and names the requirements that must fail, and no others.
import { admissionFaults } from './admission.js';
import { authenticationFaults } from './authentication.js';
import { certificateFaults } from './certificates.js';
import { connectFaults } from './connect.js';
import { deleteOptionsFaults } from './deleteOptions.js';
import { featureFaults } from './features.js';
import { generalFaults } from './general.js';
import { logFaults } from './log.js';
import { mechanismFaults } from './mechanisms.js';
import { parametersFaults } from './parameters.js';
import type { Fault } from './parts.js';
import { patchFaults } from './patch.js';
import { protobufFaults } from './protobuf.js';
import { proxyFaults } from './proxying.js';
import { refusalFaults } from './refusals.js';
import { schemaFaults } from './schemas.js';
import { selectorsFaults } from './selectors.js';
import { serviceAccountFaults } from './serviceAccounts.js';
import { subresourceFaults } from './subresources.js';
import { surfaceFaults } from './surface.js';
import { tokenReviewFaults } from './tokenReview.js';
import { validationFaults } from './validation.js';
import { validationFieldFaults } from './validationFields.js';
import { versionFaults } from './versions.js';
import { watchFaults } from './watch.js';
import { watchGuaranteeFaults } from './watchGuarantees.js';

/** Every broken server. */
export const faults: readonly Fault[] = [
  ...generalFaults,
  ...refusalFaults,
  ...schemaFaults,
  ...surfaceFaults,
  ...parametersFaults,
  ...patchFaults,
  ...selectorsFaults,
  ...deleteOptionsFaults,
  ...admissionFaults,
  ...validationFaults,
  ...validationFieldFaults,
  ...subresourceFaults,
  ...versionFaults,
  ...watchFaults,
  ...watchGuaranteeFaults,
  ...protobufFaults,
  ...authenticationFaults,
  ...mechanismFaults,
  ...certificateFaults,
  ...serviceAccountFaults,
  ...tokenReviewFaults,
  ...logFaults,
  ...connectFaults,
  ...proxyFaults,
  ...featureFaults,
];
