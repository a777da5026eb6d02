// Every chapter of requirements, by name.
import type { Chapter } from '../types.js';
import { admission } from './admission.js';
import { authentication } from './authentication.js';
import { certificates } from './certificates.js';
import { connect } from './connect.js';
import { create } from './create.js';
import { deletion } from './delete.js';
import { deleteCollection } from './deleteCollection.js';
import { deleteOptions } from './deleteOptions.js';
import { discovery } from './discovery.js';
import { documentScope } from './documentScope.js';
import { errors } from './errors.js';
import { list } from './list.js';
import { log } from './log.js';
import { openapi } from './openapi.js';
import { parameters } from './parameters.js';
import { patch } from './patch.js';
import { protobuf } from './protobuf.js';
import { proxy } from './proxy.js';
import { read } from './read.js';
import { replace } from './replace.js';
import { responses } from './responses.js';
import { selectors } from './selectors.js';
import { serviceAccounts } from './serviceAccounts.js';
import { subresources } from './subresources.js';
import { surface } from './surface.js';
import { tokenReview } from './tokenReview.js';
import { validation } from './validation.js';
import { versions } from './versions.js';
import { watch } from './watch.js';
import { watchGuarantees } from './watchGuarantees.js';

/** Every chapter, by the first part of its requirement ids. */
export const chapters = {
  surface,
  responses,
  discovery,
  list,
  read,
  create,
  replace,
  delete: deletion,
  deleteCollection,
  errors,
  parameters,
  selectors,
  patch,
  subresources,
  deleteOptions,
  validation,
  admission,
  versions,
  watch,
  watchGuarantees,
  authentication,
  serviceAccounts,
  tokenReview,
  certificates,
  log,
  connect,
  proxy,
  protobuf,
  openapi,
  documentScope,
} as const satisfies Record<string, Chapter>;

export type ChapterName = keyof typeof chapters;
