// Options that a delete must refuse: afterwards the object still exists and is not being deleted.

import { clientError, fail, status, statusObject } from '../client/expect.js';
import type { JsonObject } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { group } from '../run/group.js';
import { type Deletion, optionsOf, remove, stays } from './calls.js';

/** A delete that must be refused, and the object afterwards. */
export interface Refusal {
  readonly reply: Reply;
  readonly made: CreatedObject;
  readonly after: JsonObject | undefined;
}

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

export const otherUid: Deletion = { options: optionsOf({ preconditions: { uid: absentUid } }) };

export const unknownPropagation: readonly Deletion[] = [
  { options: optionsOf({ propagationPolicy: 'Sideways' }) },
  { query: '?propagationPolicy=Sideways' },
];

const kinds = {
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
  uid: [otherUid],
  version: [{ options: optionsOf({ preconditions: { resourceVersion: '1' } }) }],
  propagation: unknownPropagation,
  twice: [
    { options: optionsOf({ orphanDependents: true, propagationPolicy: 'Orphan' }) },
    { options: optionsOf({ orphanDependents: false, propagationPolicy: 'Background' }) },
  ],
} as const satisfies Readonly<Record<string, readonly Deletion[]>>;

type Kind = keyof typeof kinds;

/** Throws Failure unless all deletes meet the expectation and left the objects unchanged. */
export function deletesRefused(refusals: readonly Refusal[] | undefined, expectation: (reply: Reply) => void): void {
  for (const { reply, made, after } of refusals ?? fail('no delete was sent')) {
    expectation(reply);
    if (!stays(made, after)) fail(`${reply.request} was refused, but the object is gone or being deleted`);
  }
}

const conflict = (reply: Reply): void => {
  status(reply, 409);
  statusObject(reply, 'Conflict');
};

export const refusedDeleteGroups = [
  group({
    subjects: 'refusedDeleteOptions',
    setup: async ({ operation }, { client, sandbox }) => {
      const refusals: Partial<Record<Kind, Refusal[]>> = {};
      let made: CreatedObject | undefined;
      for (const [kind, deletions] of Object.entries(kinds) as [Kind, readonly Deletion[]][]) {
        for (const deletion of deletions) {
          made ??= await sandbox.make(resourceOf(operation));
          const reply = await remove(client, operation, made, deletion);
          const after = await sandbox.current(made);
          refusals[kind] = [...(refusals[kind] ?? []), { reply, made, after }];
          if (!stays(made, after)) made = undefined;
        }
      }
      return refusals;
    },
    checks: {
      'options-malformed': (refusals) => deletesRefused(refusals.malformed, clientError),
      'options-wrong-kind': (refusals) => deletesRefused(refusals.wrongKind, clientError),
      'options-type': (refusals) => deletesRefused(refusals.type, (reply) => status(reply, 415)),
      'query-malformed': (refusals) => deletesRefused(refusals.query, clientError),
      'dry-run-unknown': (refusals) => deletesRefused(refusals.dryRun, clientError),
      'precondition-uid': (refusals) => deletesRefused(refusals.uid, conflict),
      'precondition-version': (refusals) => deletesRefused(refusals.version, conflict),
      'propagation-unknown': (refusals) => deletesRefused(refusals.propagation, (reply) => status(reply, 422)),
      'propagation-twice': (refusals) => deletesRefused(refusals.twice, (reply) => status(reply, 422)),
    },
  }),
];
