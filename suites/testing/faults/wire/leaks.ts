// Servers that refuse a write and do a part of it: in a list, in a watch, or to the object that the body names.
import { at, type JsonObject } from '../../../client/json.js';
import type { Broken, WireEvent, WireRequest } from './fault.js';
import { all, drop, items, parsed, set, valueAt } from './objects.js';
import { editedJson, matches, type Requests } from './requests.js';
import { line } from './watches.js';

/** Stands for every name: a delete-collection has none. */
const everything = '*';
const leaked = set('metadata.labels.leaked', 'yes');

/** The name in a path, before a subresource if there is one; that in the body of a create. */
function nameIn({ method, path, body }: WireRequest): string {
  if (method === 'DELETE' && path.includes('labelSelector')) return everything;
  if (method === 'POST' && !path.endsWith('/binding')) return String(valueAt(parsed(body), 'metadata.name'));
  return /([^/?]+)(?:\/(?:status|scale|finalize|binding))?(?:\?.*)?$/.exec(path)?.[1] ?? '';
}

/**
 * Shows a label on the objects of refused requests, although nothing was written: in `lists`, in an event of `watches`, or
 * in `reads` of another object, which the body names.
 */
export function leaks(which: Requests, into: 'lists' | 'watches' | 'reads'): Broken {
  const refused = new Set<string>();
  const isLeaked = (object: unknown): boolean =>
    refused.has(everything) || refused.has(String(at(object, 'metadata', 'name')));
  const shows = (object: JsonObject): JsonObject => (isLeaked(object) ? leaked(object) : object);
  return {
    reply: (reply, request) => {
      if (reply.status > 399 && matches(which, request)) {
        const named = String(valueAt(parsed(request.body), 'metadata.name'));
        if (into !== 'reads') refused.add(nameIn(request));
        else if (named !== nameIn(request)) refused.add(named);
      }
      if (request.method !== 'GET' || reply.status > 299 || into === 'watches') return reply;
      const edit = into === 'lists' ? items((each) => each.map(shows)) : shows;
      return { ...reply, body: editedJson(reply.body, edit) };
    },
    watch: () => {
      const told = new Set<string>();
      return (event: WireEvent | undefined) => {
        if (event === undefined) return [];
        const name = String(at(event.object, 'metadata', 'name'));
        const isNew = into === 'watches' && isLeaked(event.object) && !told.has(name);
        told.add(name);
        const object = all(leaked, drop('metadata.annotations'))(event.object);
        return [...(isNew ? [line({ type: 'MODIFIED', object })] : []), line(event)];
      };
    },
  };
}
