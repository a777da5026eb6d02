// The server's own OpenAPI: the responses of a target against what it declares about the kinds that only it knows.

import { fail, Prerequisite, Unchecked } from '../client/expect.js';
import type { Finding } from '../objects/declared/judge.js';
import { sendValid } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { declarationOf, declaredCall } from './calls.js';
import { eachIsTaken, eachSelects, isDry, selectDeclared, sendParameters, tryDry } from './parameters.js';
import { acceptEach, eachWasAccepted, eachWasSent, sendEach } from './types.js';

defineChapter('openapi', [
  group({
    subjects: 'declaredAnswers',
    setup: async (subject, context) => {
      declarationOf(subject, context);
      const call = await declaredCall(subject, context);
      const headers = call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' };
      const reply = await sendValid(context.client, call, 'json', headers);
      if (reply.status > 299) throw new Prerequisite(`${reply.request}: ${reply.status} ${reply.excerpt()}`);
      return { findings: context.openApi.take().filter(({ operation }) => operation === subject.operation.id) };
    },
    checks: {
      status: (record) => hasNone(record, 'openapi.status'),
      'media-type': (record) => hasNone(record, 'openapi.media-type'),
      'body-schema': (record) => hasNone(record, 'openapi.body-schema'),
    },
  }),
  group({
    subjects: 'declaredAccepts',
    setup: acceptEach,
    checks: { accept: (tried) => eachWasSent(tried) },
  }),
  group({
    subjects: 'declaredBodies',
    setup: sendEach,
    checks: { 'content-type': (tried) => eachWasAccepted(tried) },
  }),
  group({
    subjects: 'declaredParameters',
    setup: sendParameters,
    checks: { parameters: (sent) => eachIsTaken(sent) },
  }),
  group({
    subjects: 'declaredSelections',
    setup: selectDeclared,
    checks: { 'parameter-effects': (selections) => eachSelects(selections) },
  }),
  group({
    subjects: 'declaredDryRuns',
    setup: tryDry,
    checks: { 'dry-run': (dry) => isDry(dry) },
  }),
]);

/** Throws Failure if a response violates the requirement, and Unchecked if none can show whether it does. */
function hasNone({ findings }: { readonly findings: readonly Finding[] }, requirement: Finding['requirement']): void {
  const messageOf = (kind: Finding['kind']): string | undefined =>
    findings.find((finding) => finding.kind === kind && finding.requirement === requirement)?.message;
  const [violation, unchecked] = [messageOf('violation'), messageOf('unchecked')];
  if (violation !== undefined) fail(violation);
  if (unchecked !== undefined) throw new Unchecked('skipped', unchecked);
}
