// APIServices as code reads them.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';
import type { ServicePort } from '../webhooks/serviceAddress.js';

export const apiServicesId = 'apiregistration.k8s.io/apiservices';

export type ApiServiceSpec = Partial<ObjectOf<'apiregistration.v1.APIServiceSpec'>>;
export type ApiServiceCondition = ObjectOf<'apiregistration.v1.APIServiceCondition'>;

export const apiServiceSpecOf = (service: KubeObject): ApiServiceSpec => part<ApiServiceSpec>(service, 'spec');

export const conditionsOf = (service: KubeObject): readonly ApiServiceCondition[] =>
  part<ObjectOf<'apiregistration.v1.APIServiceStatus'>>(service, 'status').conditions ?? [];

/** Returns the service of an API; undefined for one that the server itself has. */
export function backendOf({ service }: ApiServiceSpec): ServicePort | undefined {
  if (service === undefined) return undefined;
  const { namespace = '', name = '', port = 443 } = service;
  return { namespace, name, port };
}
