// The server's own OpenAPI: the responses of a target against what it declares about the kinds that only it knows.

import { declarationOf, declaredCall } from './openapi/calls.js';
import { eachIsTaken, eachSelects, isDry, selectDeclared, sendParameters, tryDry } from './openapi/parameters.js';
import { acceptEach, eachWasAccepted, eachWasSent, sendEach } from './openapi/types.js';
import type { Finding } from './support/declared/judge.js';
import { fail, Prerequisite } from './support/http/expect.js';
import { sendValid } from './support/objects/validCalls.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'openapi',
  {
    declaredAnswers: async (subject, context) => {
      declarationOf(subject, context);
      const call = await declaredCall(subject, context);
      const headers = call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' };
      const reply = await sendValid(context.client, call, 'json', headers);
      if (reply.status > 299) throw new Prerequisite(`${reply.request}: ${reply.status} ${reply.excerpt()}`);
      return { findings: context.openApi.take().filter(({ operation }) => operation === subject.operation.id) };
    },
    declaredAccepts: acceptEach,
    declaredBodies: sendEach,
    declaredParameters: sendParameters,
    declaredSelections: selectDeclared,
    declaredDryRuns: tryDry,
  },
  {
    status: (record) => hasNone(record, 'openapi.status'),
    'media-type': (record) => hasNone(record, 'openapi.media-type'),
    'body-schema': (record) => hasNone(record, 'openapi.body-schema'),
    accept: (tried) => eachWasSent(tried),
    'content-type': (tried) => eachWasAccepted(tried),
    parameters: (sent) => eachIsTaken(sent),
    'parameter-effects': (selections) => eachSelects(selections),
    'dry-run': (dry) => isDry(dry),
  },
);

/** Throws Failure if a response violates the requirement. */
function hasNone({ findings }: { readonly findings: readonly Finding[] }, requirement: Finding['requirement']): void {
  const found = findings.find((finding) => finding.requirement === requirement);
  if (found !== undefined) fail(found.message);
}
