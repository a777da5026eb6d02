// Options that a delete must refuse: afterwards the object still exists and is not being deleted.

import { apiVersionOf } from '../../matrix/api/index.js';
import { clientError, fail, status, statusObject } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { inChunks } from '../client/otherTransports.js';
import { resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { isUntouched, makerAtRest, observeVains, type Untouched, type Vains } from '../objects/effects/index.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { group } from '../run/group.js';
import { type Deletion, inYaml, optionsOf, remove } from './calls.js';

const absentUid = '11111111-2222-3333-4444-555555555555';

const malformed: readonly Deletion[] = [
  { body: '{"kind":"DeleteOptions","apiVersion":"v1"' },
  { body: '[]' },
  { body: '"DeleteOptions"' },
  { body: 'kind: "DeleteOptions\n', type: 'application/yaml' },
  { options: optionsOf({ gracePeriodSeconds: 'soon' }) },
  { options: optionsOf({ preconditions: 'none' }) },
  { options: optionsOf({ orphanDependents: 'perhaps' }) },
];

const preconditions = (fields: JsonObject): JsonObject => optionsOf({ preconditions: fields });

export const otherUid: Deletion = { options: preconditions({ uid: absentUid }) };
export const otherUidInYaml: Deletion = inYaml(preconditions({ uid: absentUid }));
export const otherVersion: Deletion = { options: preconditions({ resourceVersion: '1' }) };

export const unknownPropagation: readonly Deletion[] = [
  { options: optionsOf({ propagationPolicy: 'Sideways' }) },
  { query: '?propagationPolicy=Sideways' },
];

const kindsOf = ({ resource, object }: CreatedObject) => ({
  malformed,
  wrongKind: [
    { options: { kind: 'Binding', apiVersion: 'v1' } },
    { options: { kind: 'NoSuchKind', apiVersion: 'v1' } },
  ],
  type: [
    { body: '{}', type: 'text/plain' },
    { body: '{}', type: 'application/merge-patch+json' },
  ],
  query: [{ query: '?gracePeriodSeconds=soon' }],
  dryRun: [{ options: optionsOf({ dryRun: ['Some'] }) }, { query: '?dryRun=Some' }],
  uid: [
    otherUid,
    otherUidInYaml,
    { ...otherUid, type: 'application/json; charset=utf-8' },
    { ...otherUid, over: inChunks(16) },
    { options: { ...otherUid.options, apiVersion: apiVersionOf(resource.groupVersion) } },
    { options: preconditions({ uid: absentUid, resourceVersion: at(object, 'metadata', 'resourceVersion') }) },
  ],
  version: [otherVersion, { options: preconditions({ uid: at(object, 'metadata', 'uid'), resourceVersion: '1' }) }],
  propagation: unknownPropagation,
  twice: [
    { options: optionsOf({ orphanDependents: true, propagationPolicy: 'Orphan' }) },
    { options: optionsOf({ orphanDependents: false, propagationPolicy: 'Background' }) },
  ],
});

/** Returns a send for each deletion, by its kind and its number. */
export function sendsOf(
  kinds: Readonly<Record<string, readonly Deletion[]>>,
  send: (deletion: Deletion) => Promise<Reply>,
): Vains<string>['sends'] {
  const rows = Object.entries(kinds).flatMap(([kind, deletions]) =>
    deletions.map((deletion, index) => [`${kind} ${index}`, () => send(deletion)] as const),
  );
  return Object.fromEntries(rows);
}

/** Throws Failure unless all deletes of a kind meet the expectation and left the objects untouched. */
export function deletesRefused(
  refusals: Readonly<Record<string, Untouched>>,
  kind: string,
  expectation: (reply: Reply) => void,
): void {
  const ofKind = Object.entries(refusals).filter(([name]) => name.startsWith(`${kind} `));
  if (ofKind.length === 0) fail('no delete was sent');
  for (const [, untouched] of ofKind) {
    expectation(untouched.reply);
    isUntouched(untouched);
  }
}

export const conflict = (reply: Reply): void => {
  status(reply, 409);
  statusObject(reply, 'Conflict');
};

export const refusedDeleteGroups = [
  group({
    subjects: 'refusedDeleteOptions',
    setup: async ({ operation }, { client, sandbox }) => {
      const make = makerAtRest(sandbox, () => sandbox.make(resourceOf(operation)));
      return observeVains(sandbox, async () => {
        const made = await make();
        return {
          written: made,
          sends: sendsOf(kindsOf(made), (deletion) => remove(client, operation, made, deletion)),
        };
      });
    },
    checks: {
      'options-malformed': (refusals) => deletesRefused(refusals, 'malformed', clientError),
      'options-wrong-kind': (refusals) => deletesRefused(refusals, 'wrongKind', clientError),
      'options-type': (refusals) => deletesRefused(refusals, 'type', (reply) => status(reply, 415)),
      'query-malformed': (refusals) => deletesRefused(refusals, 'query', clientError),
      'dry-run-unknown': (refusals) => deletesRefused(refusals, 'dryRun', clientError),
      'precondition-uid': (refusals) => deletesRefused(refusals, 'uid', conflict),
      'precondition-version': (refusals) => deletesRefused(refusals, 'version', conflict),
      'propagation-unknown': (refusals) => deletesRefused(refusals, 'propagation', (reply) => status(reply, 422)),
      'propagation-twice': (refusals) => deletesRefused(refusals, 'twice', (reply) => status(reply, 422)),
    },
  }),
];
