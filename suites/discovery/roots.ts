// The pages above the group versions: versions, groups, each group with its versions, the version of the server, its health.
import { apiVersionOf, type GroupVersion, groupVersions } from '../../matrix/api/index.js';
import { equal, fail, holds, nonEmptyString, status, success } from '../client/expect.js';
import { at, brief, itemsOf, objectsIn } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { listedIn } from './entries.js';

const json = 'application/json';
const aggregated = (version: string) => `${json};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
/** What kubectl accepts since 1.27: everything on one page, or else the page that every server has. */
const accept = [aggregated('v2'), aggregated('v2beta1'), json].join(',');

/** The resource list of a group version. */
interface Page {
  readonly groupVersion: GroupVersion;
  readonly page: Reply;
}

/**
 * Reads a page; that of all versions or groups also as kubectl does, with the resource lists below it; and of a group also
 * the versions that it lists.
 */
export async function readRoot({ variant }: Subject, { client }: Context) {
  const path = variant?.replace('GET ', '') ?? fail('no path');
  const reply = await client.send({ method: 'GET', path });
  const asKubectl = /^\/apis?$/.test(path)
    ? await client.send({ method: 'GET', path, headers: { accept } })
    : undefined;
  const pages: Page[] = [];
  for (const groupVersion of asKubectl === undefined
    ? []
    : groupVersions.filter(({ prefix }) => prefix.startsWith(`${path}/`)))
    pages.push({ groupVersion, page: await client.send({ method: 'GET', path: groupVersion.prefix }) });
  const versions: Reply[] = [];
  for (const version of path.startsWith('/apis/') ? versionsOf(reply.tryValue()) : [])
    versions.push(await client.send({ method: 'GET', path: `/apis/${String(version.groupVersion)}` }));
  return { path, reply, asKubectl, pages: pages.filter(({ page }) => page.status === 200), versions };
}

/** Throws Failure unless the page is as clients expect. */
export function isRoot({ path, reply, asKubectl, pages, versions }: Recorded<typeof readRoot>): void {
  success(reply);
  if (path === '/healthz') {
    equal(reply.bytes.toString('utf8').trim(), 'ok', `${reply.request}: body`);
    return;
  }
  const body = reply.value();
  if (asKubectl !== undefined) isReadByKubectl(asKubectl, String(at(body, 'kind')), pages);
  if (path === '/api') holds(body, { kind: 'APIVersions', versions: ['v1'] }, reply.request);
  else if (path === '/apis') isGroupList(reply, pages);
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
  const version = String(at(reply.value(), 'gitVersion'));
  if (!/^v?\d+\.\d+\.\d+/.test(version))
    fail(`${reply.request}: gitVersion is not a version such as v1.2.3: ${version}`);
}

function isReadByKubectl(reply: Reply, kind: string, pages: readonly Page[]): void {
  status(reply, 200);
  const isAggregated = reply.headers['content-type']?.includes('as=APIGroupDiscoveryList') === true;
  equal(
    at(reply.value(), 'kind'),
    isAggregated ? 'APIGroupDiscoveryList' : kind,
    `${reply.request}, Accept ${accept}: kind`,
  );
  if (isAggregated) for (const page of pages) hasPage(reply, page);
}

/** Throws Failure unless all of discovery on one page has what a resource list has: kinds, scopes, verbs, subresources. */
function hasPage(reply: Reply, { groupVersion: { group, version }, page }: Page): void {
  const ofGroup = itemsOf(reply.value()).find((item) => (at(item, 'metadata', 'name') ?? '') === group);
  const resources = objectsIn(at(versionIn(ofGroup, version), 'resources'));
  for (const { name, kind, namespaced, verbs } of listedIn(page)) {
    const [plural, subresource] = String(name).split('/');
    const resource = resources.find((each) => each.resource === plural);
    const entry = objectsIn(at(resource, 'subresources')).find((each) => each.subresource === subresource);
    const shown = subresource === undefined ? resource : entry;
    const what = `${reply.request}, aggregated: ${String(name)} of ${page.request}`;
    if (shown === undefined) fail(`${what} is not there`);
    if (subresource === undefined) {
      equal(shown.scope, namespaced === false ? 'Cluster' : 'Namespaced', `${what}: scope`);
      equal(at(shown, 'responseKind', 'kind'), String(kind), `${what}: responseKind.kind`);
    }
    for (const verb of listOf(verbs)) if (!listOf(shown.verbs).includes(verb)) fail(`${what}: no verb ${String(verb)}`);
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const versionIn = (group: unknown, version: string) => versionsOf(group).find((each) => each.version === version);

function isGroupList(reply: Reply, pages: readonly Page[]): void {
  const body = reply.value();
  const groups = at(body, 'groups');
  if (at(body, 'kind') !== 'APIGroupList' || !Array.isArray(groups) || groups.length === 0)
    fail(`${reply.request}: no APIGroupList with groups: ${brief(body)}`);
  for (const group of groups) isGroup(group, reply.request);
  for (const { groupVersion, page } of pages) {
    const listed = objectsIn(groups).find(({ name }) => name === groupVersion.group);
    if (versionIn(listed, groupVersion.version) === undefined)
      fail(`${reply.request}: no ${apiVersionOf(groupVersion)}, and ${page.request} is served`);
  }
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
