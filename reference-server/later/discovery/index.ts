// Aggregated discovery as an addon: `/api` and `/apis` with all of their resources in one answer, for clients that ask.
import { hash } from 'node:crypto';
import type { Addon } from '../../addons.js';
import type { Discovery } from '../../discovery/discovery.js';
import type { Answer, ApiRequest, Handler, Representation } from '../../request.js';
import { groupList, type RemoteEntries } from './groups.js';

/** The groups of other servers, and a number that is another one after each change. */
export interface RemoteGroups {
  readonly revision: number;
  readonly groups: readonly RemoteEntries[];
}

const kind = 'APIGroupDiscoveryList';
const group = 'apidiscovery.k8s.io';

/** The versions of the list, with the minor version since which servers have each. */
const since: Readonly<Record<string, number>> = { v2: 30, v2beta1: 26 };

/** The representation of a version: only the two lists of groups have it. */
interface Aggregated extends Representation {
  readonly version: string;
}

const aggregated = (version: string): Aggregated => ({
  version,
  isUntyped: true,
  isOf: (response) => response === 'object',
  formOf: () => (answer) => answer,
});

const paths: readonly string[] = ['/api', '/apis'];

/** `remotes` are the APIs of other servers. */
export const aggregatedDiscovery = (remotes: RemoteGroups): Addon => ({
  feature: 'aggregated-discovery',
  serve({ options, surface, handlers }) {
    const minor = Number(options.kubeVersion.split('.')[1]);
    const served = Object.keys(since).filter((version) => minor >= (since[version] ?? 0));
    const known = new Map(served.map((version) => [version, aggregated(version)]));
    const lists = new WeakMap<Discovery, Map<string, Encoded>>();

    /** Returns the list for a path and a media type: it is made again after a change of what is served. */
    const listOf = (request: ApiRequest, version: string): Encoded => {
      const { codec, pretty } = request.negotiated;
      const { path } = request.operation;
      const made = lists.get(surface.discovery) ?? new Map<string, Encoded>();
      lists.set(surface.discovery, made);
      const key = [path, version, codec.mediaType, pretty, remotes.revision].join();
      const list =
        made.get(key) ??
        encoded(request, groupList(path, surface.resources, path === '/apis' ? remotes.groups : []), version);
      made.set(key, list);
      return list;
    };
    const discover = handlers.discover;
    const handler: Handler = (request) => {
      const { representation } = request.negotiated;
      const version = served.find((each) => known.get(each) === representation);
      if (version === undefined || !paths.includes(request.operation.path)) return discover(request);
      return answer(request, listOf(request, version));
    };
    handlers.discover = handler;
    return {
      representationOf: (as, ofGroup, version = '') =>
        as === kind && ofGroup === group ? known.get(version) : undefined,
    };
  },
});

interface Encoded {
  readonly bytes: Uint8Array;
  readonly tag: string;
  readonly mediaType: string;
}

function encoded({ negotiated: { codec, pretty } }: ApiRequest, items: readonly object[], version: string): Encoded {
  const bytes = codec.encode({ kind, apiVersion: `${group}/${version}`, metadata: {}, items }, pretty);
  const mediaType = `${codec.mediaType};g=${group};v=${version};as=${kind}`;
  return { bytes, tag: `"${hash('sha512', bytes).toUpperCase()}"`, mediaType };
}

/** A client that has the list already gets only its tag. */
function answer({ headers: { 'if-none-match': seen } }: ApiRequest, { bytes, tag, mediaType }: Encoded): Answer {
  const headers = { Etag: tag, Vary: 'Accept' };
  return seen === tag ? { status: 304, headers, raw: '', mediaType } : { status: 200, headers, raw: bytes, mediaType };
}
