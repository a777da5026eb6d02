// The custom resource of the controller: a Website, and the definition that serves it.
import type {
  CustomObjectsApi,
  KubernetesListObject,
  V1Condition,
  V1CustomResourceDefinition,
  V1ObjectMeta,
} from '@kubernetes/client-node';

export const [group, version, plural] = ['example.com', 'v1', 'websites'] as const;
export const apiVersion = `${group}/${version}`;
export const kind = 'Website';
/** Keeps a deleted Website until its route is gone. */
export const finalizer = `${group}/route`;

export interface Website {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: { readonly host: string; readonly image?: string; readonly replicas?: number };
  readonly status?: WebsiteStatus;
}

export interface WebsiteStatus {
  readonly availableReplicas?: number;
  readonly conditions?: readonly V1Condition[];
}

const column = (name: string, type: string, jsonPath: string) => ({ name, type, jsonPath });

export const definition: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, singular: 'website', kind, listKind: 'WebsiteList', shortNames: ['web'] },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          column('Host', 'string', '.spec.host'),
          column('Replicas', 'integer', '.spec.replicas'),
          column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'),
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['host'],
                properties: {
                  host: { type: 'string', pattern: '^[a-z0-9.-]+$' },
                  image: { type: 'string', _default: 'nginx:1.27' },
                  replicas: { type: 'integer', minimum: 0, maximum: 10, _default: 1 },
                },
              },
              status: {
                type: 'object',
                properties: {
                  availableReplicas: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    x_kubernetes_list_type: 'map',
                    x_kubernetes_list_map_keys: ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
                      properties: {
                        type: { type: 'string' },
                        status: { type: 'string', _enum: ['True', 'False', 'Unknown'] },
                        reason: { type: 'string' },
                        message: { type: 'string' },
                        observedGeneration: { type: 'integer' },
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** The typed requests for Websites of a namespace. */
export class Websites {
  readonly #api: CustomObjectsApi;
  readonly #place: { group: string; version: string; plural: string; namespace: string };

  constructor(api: CustomObjectsApi, namespace: string) {
    this.#api = api;
    this.#place = { group, version, plural, namespace };
  }

  get path(): string {
    return `/apis/${apiVersion}/namespaces/${this.#place.namespace}/${plural}`;
  }
  list(): Promise<KubernetesListObject<Website>> {
    return this.#api.listNamespacedCustomObject(this.#place);
  }
  get(name: string): Promise<Website> {
    return this.#api.getNamespacedCustomObject({ ...this.#place, name });
  }
  create(name: string, spec: Website['spec']): Promise<Website> {
    return this.#api.createNamespacedCustomObject({
      ...this.#place,
      body: { apiVersion, kind, metadata: { name }, spec },
    });
  }
  /** Fails with 409 if the Website has changed since it was read. */
  replace(website: Website): Promise<Website> {
    return this.#api.replaceNamespacedCustomObject({ ...this.#place, name: nameOf(website), body: website });
  }
  /** The same for the status alone. */
  replaceStatus(website: Website): Promise<Website> {
    return this.#api.replaceNamespacedCustomObjectStatus({ ...this.#place, name: nameOf(website), body: website });
  }
  delete(name: string): Promise<unknown> {
    return this.#api.deleteNamespacedCustomObject({ ...this.#place, name });
  }
}

export const nameOf = ({ metadata }: { readonly metadata?: V1ObjectMeta }): string => metadata?.name ?? '';
