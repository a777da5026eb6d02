// The subject sets of the surface: the parts of the API beside plain objects, present or absent.
import { perOperation, perVariant, type Subject, serverVariants, stated, type Table, withVerbs } from './build.js';

const components = withVerbs('list', 'readPlain').filter(({ resource }) => resource?.plural === 'componentstatuses');
const thirdParties = withVerbs('create').filter(({ resource }) => resource?.plural === 'thirdpartyresources');

/** Returns the subject sets of every kind for the operations of a table. */
export const surfaceSetsOf = ({ withVerbs }: Table) => ({
  clusterScopedKinds: perOperation(withVerbs('list').filter(({ resource }) => resource?.namespaced === false)),
});

export const surfaceSets = {
  ...surfaceSetsOf(stated),
  userDiscoveries: perOperation(withVerbs('discover')),
  userCreates: serverVariants([
    'POST /api/v1/users',
    'POST /api/v1/namespaces/{namespace}/users',
    'POST /apis/autoscaling/v1/users',
    'POST /apis/batch/v1/users',
    'POST /apis/extensions/v1beta1/users',
  ]),
  bindingMethods: perVariant(
    withVerbs('create').filter(({ resource }) => resource?.plural === 'bindings'),
    ['GET', 'PUT', 'PATCH', 'DELETE'],
  ),
  ordinaryEvents: perOperation(withVerbs('create').filter(({ resource }) => resource?.plural === 'events')),
  componentConditions: perOperation(components.filter(({ verb }) => verb === 'list')),
  absentComponents: perOperation(components.filter(({ verb }) => verb === 'readPlain')),
  thirdParties: perOperation(thirdParties),
  thirdPartyDomains: perVariant(thirdParties, ['no domain', 'a domain of one part']),
} as const satisfies Record<string, readonly Subject[]>;
