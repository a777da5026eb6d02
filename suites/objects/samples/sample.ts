// The type of a sample: data that makes a valid object of one resource.
import type { JsonObject } from '../../client/json.js';
import { greatestExact, manyVariables, plainArguments } from './values.js';

export interface Sample {
  /** All fields except apiVersion, kind, name, namespace and labels, which the suite adds. */
  readonly fields: JsonObject;
  /**
   * What a replace of the sample changes: something in each field that may change, and that makes no controller act on
   * other objects. A member of the sample that is undefined here is left out of the new object. Empty if nothing but the
   * metadata may change.
   */
  readonly replaced: JsonObject;
  /** What else a create takes, in fields that no later write may change. */
  readonly created?: JsonObject;
  /** Fields that depend on the namespace of the object. */
  readonly fieldsIn?: (namespace: string) => JsonObject;
  /** A status that can be written and read back, for resources with a status subresource. */
  readonly status?: JsonObject;
  /** Fields without which some servers refuse that status. */
  readonly beforeStatus?: JsonObject;
  /**
   * Adds a label that only this object has, for kinds whose controller adopts the pods that match a selector: objects
   * that share a selector would adopt each other's pods.
   */
  readonly ownLabel?: (label: JsonObject) => JsonObject;
  /** The last part of every name, for a kind that requires a certain form of names. */
  readonly nameSuffix?: string;
}

/** A spec of pods whose lists keep their order, whose arguments stay apart, and whose numbers need 64 bits. */
export const richPodSpec = {
  containers: [
    {
      ...{ name: 'second', image: 'registry.example/conformance:2' },
      ...{ command: ['/bin/echo', '-n', ''], args: plainArguments, env: manyVariables },
    },
    { name: 'main', image: 'registry.example/conformance:1', command: ['sleep', '3600'], env: manyVariables.slice(3) },
  ],
  terminationGracePeriodSeconds: greatestExact,
} satisfies JsonObject;

/** The same with each zero and each false that is not the default, which a careless server takes for an absent value. */
const zerosPodSpec = {
  ...richPodSpec,
  terminationGracePeriodSeconds: 0,
  securityContext: { runAsUser: 0, runAsNonRoot: false, fsGroup: 0 },
  containers: richPodSpec.containers.map((container) => ({
    ...container,
    securityContext: { privileged: false, runAsUser: 0, readOnlyRootFilesystem: false },
  })),
  volumes: [
    {
      name: 'unreadable',
      secret: { secretName: 'some-secret', defaultMode: 0, items: [{ key: 'some', path: 'some', mode: 0 }] },
    },
  ],
} satisfies JsonObject;

/** Selects no node: pods with it stay pending on every cluster. */
export const noNode = { 'kube-api-conformance/no-such-node': 'yes' } satisfies JsonObject;

const replacedMetadata = { annotations: { 'conformance.example/replaced': 'yes' } };

/** What a replace changes in the template of a workload that wants no pods. */
export const replacedTemplate = { metadata: replacedMetadata, spec: richPodSpec } satisfies JsonObject;

/** The same for a workload whose template is full of zeros. */
export const zerosTemplate = { metadata: replacedMetadata, spec: zerosPodSpec } satisfies JsonObject;
