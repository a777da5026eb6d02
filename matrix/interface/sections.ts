// The project's specification of the interface: numbered sections of numbered rules, with the addresses they cover.
import { authentication } from './authentication.js';
import { certificates } from './certificates.js';
import { connect } from './connect.js';
import { deletion } from './deletion.js';
import { errors } from './errors.js';
import { kinds } from './kinds.js';
import { log } from './log.js';
import { mechanisms } from './mechanisms.js';
import { objects } from './objects.js';
import { parameters } from './parameters.js';
import { patch } from './patch.js';
import { protobuf } from './protobuf.js';
import { proxy } from './proxy.js';
import { requests } from './requests.js';
import { scope } from './scope.js';
import { selectors } from './selectors.js';
import { service } from './service.js';
import { serviceAccounts } from './serviceAccounts.js';
import { subresources } from './subresources.js';
import { tokenReview } from './tokenReview.js';
import type { Section } from './types.js';
import { validation } from './validation.js';
import { verbs } from './verbs.js';
import { watch } from './watch.js';

/** Every section, in the order of their numbers. */
export const sections = [
  service,
  kinds,
  objects,
  requests,
  parameters,
  selectors,
  verbs,
  patch,
  deletion,
  subresources,
  validation,
  watch,
  log,
  connect,
  proxy,
  protobuf,
  authentication,
  mechanisms,
  tokenReview,
  serviceAccounts,
  certificates,
  errors,
  scope,
] as const satisfies readonly Section[];

/** The number of a rule, such as `4.2`. */
export type RuleNumber = (typeof sections)[number]['rules'][number]['number'];
