// Ingress of networking.k8s.io/v1, stored as extensions/v1beta1. Their backends have different shapes.
import { defined } from '../../../../matrix/api/index.js';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { part } from '../../../schema/object.js';
import type { Conversion } from '../../../versions/conversion.js';

type StoredBackend = ObjectOf<'extensions.v1beta1.IngressBackend'>;
type ShownBackend = ObjectOf<'networking.v1.IngressBackend'>;

interface Rule<Backend> {
  readonly http?: { readonly paths?: readonly { readonly pathType?: string; readonly backend?: Backend }[] };
}

export const networkingIngress: Conversion = {
  fromStorage(stored) {
    const { backend, rules, ...rest } = part<ObjectOf<'extensions.v1beta1.IngressSpec'>>(stored, 'spec');
    const shown = rules?.map((rule) => withBackends(rule, shownBackend, { pathType: 'ImplementationSpecific' }));
    const spec = { ...rest, ...defined({ defaultBackend: backend && shownBackend(backend), rules: shown }) };
    return { ...stored, spec };
  },
  toStorage(object) {
    const { defaultBackend, rules, ...rest } = part<ObjectOf<'networking.v1.IngressSpec'>>(object, 'spec');
    const kept = rules?.map((rule) => withBackends(rule, storedBackend, {}));
    const spec = { ...rest, ...defined({ backend: defaultBackend && storedBackend(defaultBackend), rules: kept }) };
    return { ...object, spec };
  },
};

/** Converts the backends of a rule. `first` has the fields of a path that has none of its own. */
function withBackends<From, To>(rule: Rule<From>, convert: (backend: From) => To, first: object): Rule<To> {
  const { http, ...rest } = rule;
  if (http === undefined) return rest;
  const { paths, ...more } = http;
  const converted = paths?.map(({ backend, ...path }) => ({
    ...first,
    ...path,
    ...(backend !== undefined && { backend: convert(backend) }),
  }));
  return { ...rest, http: { ...more, ...(converted && { paths: converted }) } };
}

function shownBackend({ serviceName, servicePort, resource }: StoredBackend): ShownBackend {
  if (resource !== undefined) return { resource };
  const port = typeof servicePort === 'number' ? { number: servicePort } : { name: servicePort ?? '' };
  return { service: { name: serviceName ?? '', port } };
}

function storedBackend({ service, resource }: ShownBackend): StoredBackend {
  if (service === undefined) return { ...(resource !== undefined && { resource }) };
  const { name = '', port = {} } = service;
  return {
    serviceName: name,
    servicePort: port.name || (port.number ?? 0),
    ...(resource !== undefined && { resource }),
  };
}
