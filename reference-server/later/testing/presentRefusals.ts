// Objects that a real kube-apiserver of 1.36 refuses: a smallest one, what is changed in it, and what the answer says of
// each field. Answers of that server.
import type { AnyShape } from '../../testing/anyShape.js';

/** A change of fields by their paths, and the causes in the answer, each by its field and the beginning of its text. */
type Refusal = readonly [change: AnyShape, ...causes: readonly string[]];

interface Refused {
  readonly smallest: AnyShape;
  readonly refused: readonly Refusal[];
}

const labels = { app: 'a' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [{ name: 'm', image: 'x' }] } };
const workload = { spec: { selector, template } };

const notLabel = 'Invalid value: "a b": a valid label must be an empty string';
const always = 'supported values: "Always"';

/** What all kinds with a template of pods refuse. */
const ofWorkloads: readonly Refusal[] = [
  [
    { 'spec.template.spec.restartPolicy': 'Never' },
    `spec.template.spec.restartPolicy: Unsupported value: "Never": ${always}`,
  ],
  [
    { 'spec.template.spec.restartPolicy': 'x' },
    'spec.template.spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
    `spec.template.spec.restartPolicy: Unsupported value: "x": ${always}`,
  ],
  [
    { 'spec.template.spec.ephemeralContainers': [{ name: 'e', image: 'x', terminationMessagePolicy: 'File' }] },
    'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
  ],
];

const unreadable = { matchLabels: labels, matchExpressions: [{ key: 'k', operator: 'In', values: ['v', 'a b'] }] };

export const presentRefusals: Readonly<Record<string, Refused>> = {
  '/apis/apps/v1/namespaces/default/daemonsets': {
    smallest: workload,
    refused: [
      ...ofWorkloads,
      [
        { 'spec.selector': undefined },
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [{ 'spec.selector': unreadable }, `spec.selector.matchExpressions[0].values[1]: ${notLabel}`],
      [{ 'spec.updateStrategy': { type: 'x' } }, 'spec.updateStrategy: Unsupported value: {'],
      [
        { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 'x' } } },
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "x": a valid percent string',
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
      ],
    ],
  },
  '/apis/apps/v1/namespaces/default/deployments': {
    smallest: workload,
    refused: [
      ...ofWorkloads,
      [
        { 'spec.selector': unreadable },
        `spec.selector.matchExpressions[0].values[1]: ${notLabel}`,
        'spec.selector: Invalid value: {',
      ],
      [{ 'spec.strategy': { type: 'x' } }, 'spec.strategy: Unsupported value: {'],
      [
        { 'metadata.labels': { [`a/${'x'.repeat(64)}`]: 'x'.repeat(64), 'a/b/c': '' } },
        'metadata.labels: Invalid value: "a/b/c": a valid label key must consist of',
        `metadata.labels: Invalid value: "a/${'x'.repeat(64)}": name part must be no more than 63 bytes`,
        `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
      ],
    ],
  },
  '/apis/apps/v1/namespaces/default/statefulsets': {
    smallest: workload,
    refused: [
      ...ofWorkloads,
      [{ 'metadata.name': 'a.b' }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
      [
        { 'spec.selector': unreadable },
        `spec.selector.matchExpressions[0].values[1]: ${notLabel}`,
        'spec.selector: Invalid value: {',
      ],
      [
        { 'spec.ordinals': { start: -1 } },
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        { 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'x' } },
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "x": supported values: "Retain", "Delete"',
      ],
    ],
  },
  '/apis/apps/v1/namespaces/default/controllerrevisions': {
    smallest: { revision: 1, data: {} },
    refused: [[{ data: 'x' }, 'data: Required value: data must be a valid JSON object']],
  },
};
