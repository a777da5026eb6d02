// Those that are asked about requests, webhooks and policies: for changes of stored objects, and for other requests.
import type { Plugin } from '../../admission/plugin.js';
import type { Revised } from '../../registry/admission.js';
import type { KubeObject } from '../../schema/object.js';
import { type Subject, subjectOf } from './subject.js';

/** The object of a request after it was revised; none for a delete. */
export interface Revision extends Pick<Revised, 'again'> {
  readonly object: KubeObject | undefined;
}

export interface Asker {
  /** Whether there is anybody to ask now. */
  isThere(): boolean;
  /** Returns the object as it shall be. Throws the Status that refuses the request. */
  revise(subject: Subject, object: KubeObject | undefined): Promise<Revision>;
  /** Throws the Status that refuses the request. */
  review(subject: Subject, object: KubeObject | undefined): Promise<void>;
}

/** Returns what an asker says about an object. */
export async function revisedBy(asker: Asker, subject: Subject, given: KubeObject): Promise<Revised> {
  const { object, again } = await asker.revise(subject, given);
  return { object: object ?? given, ...(again && { again }) };
}

/** What decides about admission is not subject to it: a broken one could not be repaired. */
const exempt = 'admissionregistration.k8s.io/';

/** Returns the plug-in that asks about changes of stored objects. */
export const pluginOf = (asker: Asker): Plugin => ({
  resources: [],
  shows: (stored) => asker.isThere() && !stored.startsWith(exempt),
  async revise(change) {
    if (change.object === undefined) throw new Error('a change without an object is not revised');
    return revisedBy(asker, subjectOf(change), change.object);
  },
  async review(change) {
    const subject = subjectOf(change);
    if (change.operation === 'DELETE') await asker.revise(subject, undefined);
    await asker.review(subject, change.object);
  },
});
