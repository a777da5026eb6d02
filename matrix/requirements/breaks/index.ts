// The consequences for clients if a requirement is violated: one sentence for each checked requirement.
import type { ChapterName } from '../chapters/index.js';
import { admission } from './admission.js';
import { authentication } from './authentication.js';
import { certificates } from './certificates.js';
import { connect } from './connect.js';
import { create } from './create.js';
import { deletion } from './delete.js';
import { deleteCollection } from './deleteCollection.js';
import { deleteOptions } from './deleteOptions.js';
import { discovery } from './discovery.js';
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
import type { Breaks } from './types.js';
import { validation } from './validation.js';
import { versions } from './versions.js';
import { watch } from './watch.js';
import { watchGuarantees } from './watchGuarantees.js';

/** The sentences by chapter; `documentScope` has no checked requirement. */
export const breaks: Readonly<Record<Exclude<ChapterName, 'documentScope'>, Breaks>> = {
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
};

/** Returns the consequences for clients if a requirement is violated; undefined for an unchecked requirement. */
export function breaksOf(requirementId: string): string | undefined {
  const dot = requirementId.indexOf('.');
  const rows = (breaks as Readonly<Record<string, Breaks>>)[requirementId.slice(0, dot)] ?? [];
  const name = requirementId.slice(dot + 1);
  let found: { readonly pattern: string; readonly sentence: string } | undefined;
  for (const [patterns, sentence] of rows) {
    for (const pattern of patterns.filter((pattern) => fits(pattern, name)))
      if (found === undefined || pattern.length > found.pattern.length) found = { pattern, sentence };
  }
  return found?.sentence;
}

/** Reports whether a pattern matches a name. */
export function fits(pattern: string, name: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  return name.startsWith(start) && name.endsWith(rest.at(-1) ?? '') && name.length >= pattern.length - 1;
}
