// The type of an invalid body, and the errors that any object can have.

import type { JsonObject } from '../client/json.js';
import type { invalidBodies } from '../requirements/index.js';

/** An error: the changed fields of a sample, and the fields that the causes must name. */
export interface Invalid {
  /** Merged into the sample's body; undefined removes a field. */
  readonly over: JsonObject;
  /** The field that the causes must name; one of several if servers differ. */
  readonly field: string | readonly string[];
  /** A field that early servers drop: a server that stores the object without it is not judged. */
  readonly younger?: readonly string[];
  /** Returns an invalid name, made from a valid one. */
  readonly name?: (name: string) => string;
}

/** An invalid body for each of the resource's variants. */
export type InvalidBodies<R extends keyof typeof invalidBodies> = Readonly<
  Record<keyof (typeof invalidBodies)[R], Invalid>
>;

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'some-owner', uid: '11111111-2222-3333-4444-555555555555' };
const owners = (...ownerReferences: readonly JsonObject[]): JsonObject => ({ metadata: { ownerReferences } });

/** The errors that any object can have, except in its name and its labels. */
export const anyObject: InvalidBodies<'core/namespaces'> = {
  'an owner without a uid': { over: owners({ ...owner, uid: '' }), field: 'metadata.ownerReferences.uid' },
  'an owner without a name': { over: owners({ ...owner, name: '' }), field: 'metadata.ownerReferences.name' },
  'an owner without a kind': { over: owners({ ...owner, kind: '' }), field: 'metadata.ownerReferences.kind' },
  'two controllers': {
    over: owners({ ...owner, controller: true }, { ...owner, name: 'other', uid: 'other', controller: true }),
    field: 'metadata.ownerReferences',
  },
  'a finalizer without a domain': {
    over: { metadata: { finalizers: ['nobody'] } },
    field: ['metadata.finalizers[0]', 'metadata.finalizers'],
  },
  'a finalizer that is no name': {
    over: { metadata: { finalizers: ['example.com/not a name'] } },
    field: ['metadata.finalizers', 'metadata.finalizers[0]'],
  },
};
