// The subject sets of the surface: the parts of the API beside plain objects, present or absent.
import { perOperation, perVariant, type Subject, serverVariants, withVerbs } from './build.js';

const components = withVerbs('list', 'readPlain').filter(({ resource }) => resource?.plural === 'componentstatuses');
const thirdParties = withVerbs('create').filter(({ resource }) => resource?.plural === 'thirdpartyresources');

export const surfaceSets = {
  clusterScopedKinds: perOperation(withVerbs('list').filter(({ resource }) => resource?.namespaced === false)),
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
