// The credentials of every mechanism: good credentials of known users, and bad ones that a server must refuse.
import type { Mechanism } from '../../../matrix/api/index.js';
import { clientCertificate } from './clientCertificate.js';
import { identityServicePassword } from './identityServicePassword.js';
import { openidConnect } from './openidConnect.js';
import { serviceAccountToken } from './serviceAccountToken.js';
import type { Source } from './source.js';
import { staticPassword } from './staticPassword.js';
import { staticToken } from './staticToken.js';
import { webhookTokenReview } from './webhookTokenReview.js';

export const credentials = {
  clientCertificate,
  staticToken,
  staticPassword,
  serviceAccountToken,
  openidConnect,
  webhookTokenReview,
  identityServicePassword,
} as const satisfies Record<Mechanism, Source>;
