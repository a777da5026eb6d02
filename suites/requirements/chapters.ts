// Every chapter of requirements, by name.

import { admission } from '../admission/requirements.js';
import { authentication } from '../authentication/requirements.js';
import { certificates } from '../certificates/requirements.js';
import { connect } from '../connect/requirements.js';
import { create } from '../create/requirements.js';
import { deletion } from '../delete/requirements.js';
import { deleteCollection } from '../deleteCollection/requirements.js';
import { deleteOptions } from '../deleteOptions/requirements.js';
import { discovery } from '../discovery/requirements.js';
import { documentScope } from '../documentScope/requirements.js';
import { errors } from '../errors/requirements.js';
import { histories } from '../histories/requirements.js';
import { list } from '../list/requirements.js';
import { log } from '../log/requirements.js';
import { openapi } from '../openapi/requirements.js';
import { parameters } from '../parameters/requirements.js';
import { patch } from '../patch/requirements.js';
import { protobuf } from '../protobuf/requirements.js';
import { proxy } from '../proxy/requirements.js';
import { read } from '../read/requirements.js';
import { replace } from '../replace/requirements.js';
import { responses } from '../responses/requirements.js';
import { selectors } from '../selectors/requirements.js';
import { serviceAccounts } from '../serviceAccounts/requirements.js';
import { subresources } from '../subresources/requirements.js';
import { surface } from '../surface/requirements.js';
import { tokenReview } from '../tokenReview/requirements.js';
import { validation } from '../validation/requirements.js';
import { versions } from '../versions/requirements.js';
import { watch } from '../watch/requirements.js';
import type { Chapter } from './types.js';

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
  histories,
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
