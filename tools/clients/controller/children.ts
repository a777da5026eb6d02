// What a Website owns, as it should be: a Deployment and a Service; and its route, which nothing owns.
import type { V1ConfigMap, V1Deployment, V1OwnerReference, V1Service } from '@kubernetes/client-node';
import { apiVersion, kind, nameOf, type Website } from './website.js';

const ownerOf = (website: Website): V1OwnerReference => ({
  apiVersion,
  kind,
  name: nameOf(website),
  uid: website.metadata?.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

const metadataOf = (website: Website) => ({
  name: nameOf(website),
  labels: { website: nameOf(website) },
  ownerReferences: [ownerOf(website)],
});

/** The protocols are those of the defaults: an apply needs them as keys of lists, in servers before 1.21. */
export function deploymentOf(website: Website): V1Deployment {
  const { image, replicas } = website.spec;
  const labels = { website: nameOf(website) };
  const web = { name: 'web', image: image ?? '', ports: [{ containerPort: 8080, protocol: 'TCP' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(website),
    spec: {
      replicas: replicas ?? 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [web] } },
    },
  };
}

export const serviceOf = (website: Website): V1Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadataOf(website),
  spec: {
    selector: { website: nameOf(website) },
    ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
  },
});

/** The route is in a namespace of all Websites, so it cannot have an owner: the controller itself has to delete it. */
export const routeNameOf = (namespace: string, name: string): string => `${namespace}.${name}`;

export const routeOf = (website: Website): V1ConfigMap => ({
  metadata: { name: routeNameOf(website.metadata?.namespace ?? '', nameOf(website)) },
  data: { host: website.spec.host, service: nameOf(website) },
});
