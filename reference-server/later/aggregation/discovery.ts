// Puts the APIs of other servers into the pages of discovery.
import { joined } from '../../codecs/codec.js';
import { json } from '../../codecs/json.js';
import type { Answer, Handler } from '../../request.js';
import { isRecord } from '../../schema/object.js';
import { ObjectBody } from '../../versions/views.js';
import type { RemoteGroup, Remotes } from './remotes.js';

interface GroupVersionEntry {
  readonly groupVersion: string;
  readonly version: string;
}

const entriesOf = ({ name, versions }: RemoteGroup): readonly GroupVersionEntry[] =>
  versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));

function groupOf(remote: RemoteGroup, own: readonly GroupVersionEntry[] = []) {
  const known = new Set(own.map(({ version }) => version));
  const versions = [...own, ...entriesOf(remote).filter(({ version }) => !known.has(version))];
  return { name: remote.name, versions, preferredVersion: versions[0] };
}

/** Returns a handler of discovery that adds the groups of other servers to those that `own` knows. */
export const withRemotes =
  (remotes: Remotes, own: Handler): Handler =>
  async (request) => {
    const { path } = request.operation;
    const [, root, name, ...more] = path.split('/');
    const groups = root === 'apis' && more.length === 0 ? remotes.groups : [];
    if (groups.length === 0) return own(request);
    if (name === undefined) return withGroups(await own(request), groups);
    const group = groups.find((one) => one.name === name);
    return group === undefined ? own(request) : withVersions(await own(request), group);
  };

/** Returns the answer of `/apis/GROUP` for a group that only other servers have. */
export const groupAnswer = (group: RemoteGroup): Answer => ({
  status: 200,
  body: new ObjectBody({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) }),
});

/** Aggregated lists are made elsewhere: they are no objects here. */
function objectIn(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  if (!('body' in answer)) return undefined;
  const bytes = joined(answer.body.encode(json, false));
  const object: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return isRecord(object) ? object : undefined;
}

function withGroups(answer: Answer, remotes: readonly RemoteGroup[]): Answer {
  const list = objectIn(answer);
  if (list?.kind !== 'APIGroupList' || !('body' in answer)) return answer;
  const groups = list.groups as readonly { readonly name: string; readonly versions: readonly GroupVersionEntry[] }[];
  const merged = groups.map((group) => {
    const remote = remotes.find(({ name }) => name === group.name);
    return remote === undefined ? group : { ...group, ...groupOf(remote, group.versions) };
  });
  const known = new Set(groups.map(({ name }) => name));
  const added = remotes.filter(({ name }) => !known.has(name)).map((remote) => groupOf(remote));
  return { ...answer, body: new ObjectBody({ ...list, groups: [...merged, ...added] }) };
}

function withVersions(answer: Answer, remote: RemoteGroup): Answer {
  const group = objectIn(answer);
  if (group?.kind !== 'APIGroup' || !('body' in answer)) return answer;
  const versions = group.versions as readonly GroupVersionEntry[];
  return { ...answer, body: new ObjectBody({ ...group, ...groupOf(remote, versions) }) };
}
