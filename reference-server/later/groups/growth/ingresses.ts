// Ingresses of networking.k8s.io/v1: what their stored version cannot express is checked in their own.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1035Label, dns1123Label, type Format, portName } from '../../../schema/formats.js';
import { part } from '../../../schema/object.js';
import type { Grow } from './grow.js';

type Backend = ObjectOf<'networking.v1.IngressBackend'>;

const classAnnotation = 'kubernetes.io/ingress.class';

/** Since when the names of services begin with a digit, and both names of a class may say the same. */
const digitsSince = 36;
const bothSince = 31;

export const grownIngresses: Grow = (strategy, { minor }) => ({
  ...strategy,
  validateGiven(ingress, causes, { groupVersion }) {
    if (groupVersion.group !== 'networking.k8s.io') return;
    const serviceName = minor < digitsSince ? dns1035Label : dns1123Label;
    const { defaultBackend, rules = [] } = part<ObjectOf<'networking.v1.IngressSpec'>>(ingress, 'spec');
    if (defaultBackend) checkBackend('spec.defaultBackend', defaultBackend, serviceName, causes);
    for (const [index, { http }] of rules.entries()) {
      for (const [at, { pathType, backend }] of (http?.paths ?? []).entries()) {
        const field = `spec.rules[${index}].http.paths[${at}]`;
        if (!pathType) causes.required(`${field}.pathType`, 'pathType must be specified');
        else checkBackend(`${field}.backend`, backend ?? {}, serviceName, causes);
      }
    }
  },
  validateCreate(ingress, causes, view) {
    strategy.validateCreate?.(ingress, causes, view);
    const annotated = ingress.metadata.annotations?.[classAnnotation];
    const { ingressClassName } = part<ObjectOf<'networking.v1.IngressSpec'>>(ingress, 'spec');
    if (annotated === undefined || !ingressClassName || (minor >= bothSince && annotated === ingressClassName)) return;
    const why =
      minor < bothSince
        ? 'can not be set when the class field is also set'
        : 'must match `ingressClassName` when both are specified';
    causes.invalid(`annotations.${classAnnotation}`, annotated, why);
  },
});

/** A backend is a service with one port, or a resource. */
function checkBackend(field: string, { service, resource }: Backend, serviceName: Format, causes: Causes): void {
  if (service && resource) causes.invalid(field, '', 'cannot set both resource and service backends');
  else if (!service && !resource) causes.invalid(field, '', 'resource or service backend is required');
  else if (service) {
    const { name = '', number = 0 } = service.port ?? {};
    causes.named(`${field}.service.name`, service.name, serviceName);
    if (name && number) causes.invalid(field, '', 'cannot set both port name & port number');
    else if (!name && !number) causes.required(field, 'port name or number is required');
    else if (name) causes.format(`${field}.service.port.name`, name, portName);
    else causes.port(`${field}.service.port.number`, number);
  }
}
