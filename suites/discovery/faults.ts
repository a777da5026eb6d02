// Servers whose discovery differs from their resources.

import { groupBy } from '../../matrix/api/groupBy.js';
import { groupVersions, type Resource, resources } from '../../matrix/api/index.js';
import { type Json, type JsonObject, objectsIn } from '../client/json.js';
import { conformant, fault, faultsOf, faultsOfEveryKind, notConformant } from '../testing/faults/wire/fault.js';
import { all, change, drop, dropItems, type Edit, inEach, set, where } from '../testing/faults/wire/objects.js';
import { shown, shownText } from '../testing/faults/wire/replies.js';
import { answer, every, header, ok, refuse, withHeader } from '../testing/faults/wire/requests.js';

const isOfSubresource = (name: Json | undefined): boolean => String(name).includes('/');

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const reviews = { plural: 'tokenreviews', kind: 'TokenReview', namespaced: false };

/** All of discovery below /apis on one page, with every verb and subresource. */
const wholePage: JsonObject = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items: [...groupBy(groupVersions.slice(1), ({ group }) => group)].map(([name, versions]) => ({
    metadata: { name },
    versions: versions.map((groupVersion) => {
      const own = resources.filter((each) => each.groupVersion === groupVersion);
      return { version: groupVersion.version, resources: [...own, reviews].map(shownOnPage) };
    }),
  })),
};

function shownOnPage({ plural, kind, namespaced }: Pick<Resource, 'plural' | 'kind' | 'namespaced'>): JsonObject {
  const subresources = ['status', 'scale', 'rollback'].map((subresource) => ({ subresource, verbs }));
  return { resource: plural, responseKind: { kind }, scope: namespaced ? 'Namespaced' : 'Cluster', verbs, subresources };
}

/** Sends the page of all of discovery, edited, to clients that ask for it. */
const aggregates = (edit: Edit) =>
  answer([/ \/apis$/, withHeader('accept', /apidiscovery/)], {
    ...ok(edit(wholePage)),
    headers: { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
  });

const openApi = [
  fault('fails for its OpenAPI document', 'openapi', [conformant, refuse(/ \/openapi\/v2$/, 500)]),
  fault('fails for the index of its OpenAPI documents', 'openapi', [refuse(/ \/openapi\/v3$/, 500)]),
  fault('fails for the documents of its OpenAPI index', 'openapi', [refuse(/ \/openapi\/v3\//, 503)]),
  fault('announces an OpenAPI document that it does not have', 'openapi', [refuse(/ \/openapi\/v2$/, 404)]),
  fault('sends its OpenAPI document as JSON to kubectl', 'openapi', [header(/ \/openapi\/v2$/, 'accept', 'application/json')]),
  fault('cuts its OpenAPI document', 'openapi', [shownText(/ \/openapi\/v2$/, (body) => body.slice(0, body.length / 2))]),
  fault('describes no path in its OpenAPI document', 'openapi', [shown(every, set('paths', {}))]),
];

export const faults = [
  ...faultsOf('discovery', openApi),
  ...faultsOfEveryKind('discovery', [
    fault('does not list a resource that it serves', 'resource', [notConformant, shown(every, dropItems('resources', 'name', 'pods'))]),
    fault('lists no subresources', 'complete in discovery.', [
      notConformant,
      shown(
        every,
        change('resources', (all) => objectsIn(all).filter(({ name }) => !isOfSubresource(name))),
      ),
    ]),
    fault('lists the scale with the kind that it scales', 'resource-fields in discovery.', [
      shown(every, inEach('resources', where('kind', 'Scale', set('kind', 'Deployment')))),
    ]),
    fault('lists the scale with a version that it is not of', 'resource-fields in discovery.', [
      shown(
        /^GET \/apis\/extensions\/v1beta1$/,
        inEach('resources', where('kind', 'Scale', all(set('group', 'autoscaling'), set('version', 'v1')))),
      ),
    ]),
    fault('lists the status with a kind of its own', 'resource-fields in discovery.', [
      shown(every, inEach('resources', where('name', 'jobs/status', set('kind', 'JobStatus')))),
    ]),
    fault('lists subresources as those of the cluster', 'resource-fields in discovery.', [
      shown(every, inEach('resources', where('name', isOfSubresource, set('namespaced', false)))),
    ]),
    ...['get', 'list', 'watch', 'patch'].map((verb) =>
      fault(`lists no verb ${verb}`, 'verbs in discovery.', [
        conformant,
        shown(
          every,
          change('resources.*.verbs.*', (each) => (each === verb ? undefined : each)),
        ),
      ]),
    ),
    fault('lists no verbs at all', 'verbs in discovery.', [shown(every, set('resources.*.verbs', []))]),
    fault('has no page of a group', 'roots in discovery.', [refuse(/ \/apis\/(batch|autoscaling)$/, 404)]),
    fault('prefers a version that it does not have', 'roots in discovery.', [
      shown(/ \/apis$/, set('groups.*.preferredVersion.groupVersion', 'batch/v9')),
    ]),
    fault('leaves a group that it serves out of its groups', 'roots in discovery.', [
      shown(/ \/apis$/, dropItems('groups', 'name', 'batch')),
    ]),
    fault('names no version that can be compared', 'roots in discovery.', [shown(/ \/version$/, set('gitVersion', 'dev'))]),
    fault('has all of discovery on one page', ' in discovery.roots', [aggregates(all())]),
    ...(
      [
        ['no groups', set('items', [])],
        ['no subresources', drop('items.*.versions.*.resources.*.subresources')],
        ['no verbs', set('items.*.versions.*.resources.*.verbs', [])],
        ['every kind as one of the cluster', set('items.*.versions.*.resources.*.scope', 'Cluster')],
      ] as const
    ).map(([what, edit]) => fault(`has ${what} on the page of all of discovery`, 'roots in discovery.', [aggregates(edit)])),
    fault('lists groups without versions', 'roots in discovery.', [shown(/ \/apis$/, set('groups.*.versions', []))]),
    fault('lists a version that it does not serve', 'roots in discovery.', [
      shown(
        / \/apis\/batch$/,
        change('versions', (all) => [...objectsIn(all), { groupVersion: 'batch/v9', version: 'v9' }]),
      ),
    ]),
    fault('refuses clients that would rather have all of discovery on one page', 'roots in discovery.', [
      refuse([/ \/apis?$/, withHeader('accept', /apidiscovery/)], 406),
    ]),
    fault('lists resources without their scope', 'names resource-fields in discovery.', [shown(every, drop('resources.*.namespaced'))]),
    fault('names the group version of discovery wrongly, and no version of itself', 'group-version roots in discovery.', [
      shown(every, drop('groupVersion', 'gitVersion')),
    ]),
    fault('leaves a kind that it serves out of discovery', 'complete resource in discovery.', [
      shown(every, dropItems('resources', 'kind', 'ConfigMap')),
    ]),
    fault('has no discovery of a group that it serves', 'complete › GET /apis/batch/v1', [refuse(/ \/apis\/batch\/v1$/, 404)]),
  ]),
];
