// The subject sets of the histories chapter: the kinds on whose objects random histories run, and two watches of bursts.
import type { Operation } from '../api/index.js';
import { perOperation, type Subject, stated, type Table } from './build.js';

/** Kinds that hold other objects, or whose controllers act on other objects when one is deleted. */
const notWritten = new Set(['namespaces', 'nodes']);

/** Kinds of two groups, on a list path in a namespace and on the watch prefix across namespaces. */
const ofBursts = ['/api/v1/namespaces/{namespace}/configmaps', '/apis/extensions/v1beta1/watch/ingresses'];

const needed = ['create', 'list', 'delete', 'replace', 'patch'] as const;

/** Returns the ways in which the objects of a kind are written: histories of kinds with the same ways are alike. */
function writesOf({ resource }: Operation): string {
  const ways = (['deleteCollection', 'replaceStatus', 'patchStatus', 'patchScale'] as const).filter((verb) =>
    resource?.stated.includes(verb),
  );
  return [resource?.namespaced ? 'in namespaces' : 'in the cluster', ...ways].join(', ');
}

/** Returns the subject sets of this file for the operations of a table. */
export function historiesSetsOf({ withVerbs }: Table) {
  const lists = withVerbs('list').filter(
    ({ resource }) =>
      resource !== undefined &&
      resource.found?.watchable !== false &&
      !notWritten.has(resource.plural) &&
      needed.every((verb) => resource.stated.some((own) => own === verb || own === `${verb}Plain`)) &&
      resource.stated.some((own) => own === 'read' || own === 'readPlain'),
  );
  return {
    histories: perOperation(lists).map((subject) => ({ ...subject, standsFor: writesOf(subject.operation) })),
    historyBursts: perOperation(withVerbs('list', 'watchAll').filter(({ path }) => ofBursts.includes(path))),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const historiesSets = historiesSetsOf(stated);
