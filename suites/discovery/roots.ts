// The pages above the group versions: versions, groups, each group with its versions, the version of the server, its health.
import { equal, fail, holds, nonEmptyString, status, success } from '../client/expect.js';
import { at, brief, objectsIn } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';

const json = 'application/json';
const aggregated = (version: string) => `${json};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
/** What kubectl accepts since 1.27: everything on one page, or else the page that every server has. */
const accept = [aggregated('v2'), aggregated('v2beta1'), json].join(',');

/** Reads a page; that of all versions or groups also as kubectl does; and of a group also the versions that it lists. */
export async function readRoot({ variant }: Subject, { client }: Context) {
  const path = variant?.replace('GET ', '') ?? fail('no path');
  const reply = await client.send({ method: 'GET', path });
  const asKubectl = /^\/apis?$/.test(path)
    ? await client.send({ method: 'GET', path, headers: { accept } })
    : undefined;
  const versions: Reply[] = [];
  for (const version of path.startsWith('/apis/') ? versionsOf(reply.tryValue()) : [])
    versions.push(await client.send({ method: 'GET', path: `/apis/${String(version.groupVersion)}` }));
  return { path, reply, asKubectl, versions };
}

/** Throws Failure unless the page is as clients expect. */
export function isRoot({ path, reply, asKubectl, versions }: Recorded<typeof readRoot>): void {
  success(reply);
  if (path === '/healthz') {
    equal(reply.bytes.toString('utf8').trim(), 'ok', `${reply.request}: body`);
    return;
  }
  const body = reply.value();
  if (asKubectl !== undefined) isReadByKubectl(asKubectl, String(at(body, 'kind')));
  if (path === '/api') holds(body, { kind: 'APIVersions', versions: ['v1'] }, reply.request);
  else if (path === '/apis') isGroupList(reply);
  else if (path === '/version') isVersion(reply);
  else {
    holds(body, { kind: 'APIGroup', name: path.replace('/apis/', '') }, reply.request);
    isGroup(body, reply.request);
    for (const version of versions)
      if (version.status === 404) fail(`${reply.request} lists a version that is not served: ${version.request}`);
  }
}

function isVersion(reply: Reply): void {
  for (const field of ['major', 'minor', 'gitVersion'])
    nonEmptyString(at(reply.value(), field), `${reply.request}: ${field}`);
}

function isReadByKubectl(reply: Reply, kind: string): void {
  status(reply, 200);
  const isAggregated = reply.headers['content-type']?.includes('as=APIGroupDiscoveryList') === true;
  equal(
    at(reply.value(), 'kind'),
    isAggregated ? 'APIGroupDiscoveryList' : kind,
    `${reply.request}, Accept ${accept}: kind`,
  );
}

function isGroupList(reply: Reply): void {
  const body = reply.value();
  const groups = at(body, 'groups');
  if (at(body, 'kind') !== 'APIGroupList' || !Array.isArray(groups) || groups.length === 0)
    fail(`${reply.request}: no APIGroupList with groups: ${brief(body)}`);
  for (const group of groups) isGroup(group, reply.request);
}

/** Throws Failure unless a group lists versions that are its own, and prefers one of them. */
function isGroup(group: unknown, request: string): void {
  const name = nonEmptyString(at(group, 'name'), `${request}: name of a group`);
  const versions = versionsOf(group);
  if (versions.length === 0) fail(`${request}: ${name} has no versions`);
  for (const { groupVersion, version } of versions)
    equal(groupVersion, `${name}/${String(version)}`, `${request}: groupVersion of ${name}`);
  const preferred = at(group, 'preferredVersion', 'groupVersion');
  if (!versions.some(({ groupVersion }) => groupVersion === preferred))
    fail(`${request}: the preferred version of ${name} is not one of its versions: ${brief(preferred)}`);
}

const versionsOf = (group: unknown) => objectsIn(at(group, 'versions'));
