// Edits that take a neighbour for the object: by a part of its name, of its namespace, or of a selected value.
import { at, isObject, type JsonObject } from '../../../client/json.js';
import type { Broken, WireReply, WireRequest } from './fault.js';
import { type Edit, items, parsed, valueAt } from './objects.js';
import { editedJson, failure, matches, ok, type Requests } from './requests.js';

/** An object that was created, and its path. */
interface Made {
  readonly path: string;
  readonly object: JsonObject;
}

const pathOf = ({ path }: WireRequest): string => path.replace(/\?.*/, '');
const asks = ({ method, path }: WireRequest): boolean => method === 'GET' && !/\/watch\/|watch=true/.test(path);

type IsHit = (path: string, made: Made) => boolean;

/** Notes which of the objects that were created before the deletes of these requests hit. Tells what reads one of them. */
function hits(which: Requests, isHit: IsHit) {
  const made: Made[] = [];
  const hit = new Set<string>();
  return {
    noteDelete: (request: WireRequest): void => {
      if (request.method !== 'DELETE' || !matches(which, request)) return;
      for (const each of made) if (isHit(request.path, each)) hit.add(each.path);
    },
    noteCreate: (reply: WireReply, request: WireRequest): void => {
      const object = request.method === 'POST' && reply.status < 300 ? parsed(reply.body) : {};
      const name = valueAt(object, 'metadata.name');
      if (typeof name === 'string') made.push({ path: `${pathOf(request)}/${name}`, object });
    },
    reads: (request: WireRequest): boolean => request.method === 'GET' && hit.has(pathOf(request)),
  };
}

/** Deletes of these requests also delete the objects for which `isHit` holds: they are not found any more. */
export function alsoDeletes(which: Requests, isHit: IsHit): Broken {
  const { noteDelete, noteCreate, reads } = hits(which, isHit);
  return {
    request: (request) => {
      noteDelete(request);
      return reads(request) ? failure(404) : request;
    },
    reply: (reply, request) => {
      noteCreate(reply, request);
      return reply;
    },
  };
}

/** Deletes of these requests also edit all objects that were created before. */
export function alsoEdits(which: Requests, edit: Edit): Broken {
  const { noteDelete, noteCreate, reads } = hits(which, () => true);
  return {
    request: (request) => {
      noteDelete(request);
      return request;
    },
    reply: (reply, request) => {
      noteCreate(reply, request);
      return reads(request) && reply.status < 300 ? { ...reply, body: editedJson(reply.body, edit) } : reply;
    },
  };
}

/** Keeps what was created by these paths after the first ones of a group: a read finds it again when it was deleted. */
export function keepsAfter(count: number, which: RegExp, groupOf: (made: Made) => string): Broken {
  const groups = new Map<string, number>();
  const kept = new Map<string, JsonObject>();
  return {
    reply: (reply, request) => {
      const path = pathOf(request);
      if (request.method === 'GET' && reply.status === 404) return kept.has(path) ? ok(kept.get(path)) : reply;
      if (request.method !== 'POST' || reply.status > 299 || !which.test(path)) return reply;
      const object = parsed(reply.body);
      const made = { path: `${path}/${String(valueAt(object, 'metadata.name'))}`, object };
      const before = groups.get(groupOf(made)) ?? 0;
      groups.set(groupOf(made), before + 1);
      if (before >= count) kept.set(made.path, object);
      return reply;
    },
  };
}

/** Lists, and watches if asked, more than the path of a namespace: all namespaces for which `isShown` holds. */
export function showsMore(
  plural: string,
  isShown: (shown: string, asked: string) => boolean,
  how: 'lists' | 'watches',
): Broken {
  const path = new RegExp(`/namespaces/([^/]+)(?=/${plural}(\\?|$))`);
  const isOf = (request: WireRequest): boolean =>
    request.method === 'GET' && asks(request) === (how === 'lists') && path.test(request.path);
  const shows = (object: unknown, { path: asked }: WireRequest): boolean =>
    isShown(String(at(object, 'metadata', 'namespace')), path.exec(asked)?.[1] ?? '');
  return {
    request: (request) => (isOf(request) ? { ...request, path: request.path.replace(path, '') } : request),
    reply: (reply, request) => {
      if (!isOf(request) || how !== 'lists' || reply.status > 299) return reply;
      return {
        ...reply,
        body: editedJson(
          reply.body,
          items((all) => all.filter((item) => shows(item, request))),
        ),
      };
    },
    watch: (request) => (event) =>
      event === undefined || (isOf(request) && !shows(event.object, request)) ? [] : [`${JSON.stringify(event)}\n`],
  };
}

/** Selects by an own comparison of one selector `key=value`: the parameter of these requests is not passed on. */
export function selectsBy(
  which: Requests,
  parameter: string,
  isSelected: (value: string, asked: string) => boolean,
): Broken {
  const askedIn = ({ path }: WireRequest): readonly [string, string] | undefined => {
    const selector = new URLSearchParams(path.split('?')[1]).get(parameter) ?? '';
    const [, key, value] = /^([^=!,() ]+)==?([^=!,() ]+)$/.exec(selector) ?? [];
    return key === undefined || value === undefined ? undefined : [key, value];
  };
  const isOf = (request: WireRequest): boolean => matches(which, request) && askedIn(request) !== undefined;
  const shows = (object: unknown, request: WireRequest): boolean => {
    const [key = '', asked = ''] = askedIn(request) ?? [];
    const value = parameter === 'labelSelector' ? at(object, 'metadata', 'labels', key) : valueAt(object, key);
    return typeof value === 'string' && isSelected(value, asked);
  };
  return {
    request: (request) => {
      if (!isOf(request)) return request;
      const [path = '', query] = request.path.split('?');
      const parameters = new URLSearchParams(query);
      parameters.delete(parameter);
      return { ...request, path: `${path}?${parameters}` };
    },
    reply: (reply, request) => {
      if (!isOf(request) || !asks(request) || reply.status > 299) return reply;
      return {
        ...reply,
        body: editedJson(
          reply.body,
          items((all) => all.filter((item) => shows(item, request))),
        ),
      };
    },
    watch: (request) => (event) =>
      event === undefined || (isOf(request) && !shows(event.object, request)) ? [] : [`${JSON.stringify(event)}\n`],
  };
}

/** Refuses creates with this status where `isTaken` holds for an object of the kind that was created before. */
export function refusesBeside(which: Requests, status: number, isTaken: (wanted: Made, made: Made) => boolean): Broken {
  const made: Made[] = [];
  return {
    request: (request) => {
      if (request.method !== 'POST' || !matches(which, request)) return request;
      const object = parsed(request.body);
      const wanted = { path: pathOf(request), object };
      if (!isObject(object) || made.some((each) => isTaken(wanted, each))) return failure(status);
      made.push(wanted);
      return request;
    },
  };
}
