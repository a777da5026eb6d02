// Objects that a real kube-apiserver of 1.20 refuses with 422, by what is changed in a smallest one, with the fields that it
// names: answers of that server.
import type { AnyShape } from '../../testing/anyShape.js';

/** A change of fields by their paths, and the fields in the answer; none where later servers name others. */
export type Refusal = readonly [change: AnyShape, fields?: readonly string[]];

const topology = (key: string, ...values: readonly string[]): AnyShape => ({
  matchLabelExpressions: [{ key, values }],
});

const inline = (more: AnyShape): AnyShape => ({
  accessModes: ['ReadWriteOnce'],
  csi: { driver: 'd.example.com', volumeHandle: 'h' },
  ...more,
});

const scope = (scopeName: string): AnyShape => ({ scopeName, operator: 'Exists' });

const webhook = (change: AnyShape): AnyShape => ({
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://hooks.example.com/x' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...change,
    },
  ],
});
const rule = (change: AnyShape): AnyShape =>
  webhook({
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], ...change }],
  });
const inWebhook = (...fields: readonly string[]): readonly string[] => fields.map((field) => `webhooks[0].${field}`);
const inRule = (...fields: readonly string[]): readonly string[] =>
  inWebhook(...fields.map((one) => `rules[0].${one}`));

const webhookRefusals: readonly Refusal[] = [
  [webhook({ name: 'a' }), inWebhook('name')],
  [webhook({ name: '' }), inWebhook('name')],
  [webhook({ name: 'a.b_.c' }), inWebhook('name')],
  [{ webhooks: [...webhook({}).webhooks, ...webhook({}).webhooks] }, ['webhooks[1].name']],
  [webhook({ sideEffects: undefined }), inWebhook('sideEffects')],
  [webhook({ sideEffects: 'Some' }), inWebhook('sideEffects')],
  [webhook({ admissionReviewVersions: undefined }), inWebhook('admissionReviewVersions')],
  [webhook({ admissionReviewVersions: ['v2'] }), inWebhook('admissionReviewVersions')],
  [
    webhook({ admissionReviewVersions: ['v1', 'v1', 'V'] }),
    inWebhook('admissionReviewVersions[1]', 'admissionReviewVersions[2]'),
  ],
  [webhook({ timeoutSeconds: 0 }), inWebhook('timeoutSeconds')],
  [webhook({ timeoutSeconds: 31 }), inWebhook('timeoutSeconds')],
  [webhook({ failurePolicy: 'x' }), inWebhook('failurePolicy')],
  [webhook({ matchPolicy: 'x' }), inWebhook('matchPolicy')],
  [webhook({ namespaceSelector: { matchLabels: { 'a b': 'c' } } }), inWebhook('namespaceSelector.matchLabels')],
  [
    webhook({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    inWebhook('objectSelector.matchExpressions[0].values'),
  ],
  [webhook({ clientConfig: {} }), inWebhook('clientConfig')],
  [webhook({ clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } } }), inWebhook('clientConfig')],
  ...['http://a', 'https:///x', 'https://u:p@h', 'https://h/x#y', 'https://h/x?y', '::', 'h', ''].map(
    (url): Refusal => [webhook({ clientConfig: { url } }), inWebhook('clientConfig.url')],
  ),
  [
    webhook({ clientConfig: { service: {} } }),
    inWebhook('clientConfig.service.name', 'clientConfig.service.namespace'),
  ],
  ...['x', '//', '/a//b', '/A_'].map(
    (path): Refusal => [
      webhook({ clientConfig: { service: { name: 'a', namespace: 'b', path } } }),
      inWebhook('clientConfig.service.path'),
    ],
  ),
  [
    webhook({ clientConfig: { service: { name: 'a', namespace: 'b', port: 0 } } }),
    inWebhook('clientConfig.service.port'),
  ],
  [webhook({ rules: [{}] }), inRule('operations', 'apiGroups', 'apiVersions', 'resources')],
  [rule({ operations: ['*', 'CREATE'] }), inRule('operations')],
  [rule({ operations: ['create'] }), inRule('operations[0]')],
  [rule({ apiGroups: ['*', ''] }), inRule('apiGroups')],
  [rule({ apiVersions: ['*', 'v1'] }), inRule('apiVersions')],
  [rule({ apiVersions: [''] }), inRule('apiVersions[0]')],
  [rule({ resources: [''] }), inRule('resources[0]')],
  [rule({ resources: ['*', 'pods'] }), inRule('resources')],
  [rule({ resources: ['*/*', 'pods'] }), inRule('resources')],
  [rule({ resources: ['pods/*', 'pods/status'] }), inRule('resources[1]')],
  [rule({ resources: ['*/status', 'pods/status'] }), inRule('resources[1]')],
  [rule({ scope: 'x' }), inRule('scope')],
];

export const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations': webhookRefusals,
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': [
    ...webhookRefusals,
    [webhook({ reinvocationPolicy: 'x' }), inWebhook('reinvocationPolicy')],
  ],
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings': [
    [{ subjects: [{ kind: 'ServiceAccount', name: 'a' }] }, ['subjects[0].namespace']],
    [{ 'roleRef.kind': 'Role' }, ['roleRef.kind']],
    [{ 'roleRef.kind': '' }, ['roleRef.kind']],
    [{ 'roleRef.name': '' }, ['roleRef.name']],
    [{ 'roleRef.apiGroup': 'x' }, ['roleRef.apiGroup']],
    [{ subjects: [{ kind: 'Robot', name: 'a' }] }, ['subjects[0].kind']],
    [{ subjects: [{ kind: 'User', name: 'a', apiGroup: 'v1' }] }, ['subjects[0].apiGroup']],
    [{ subjects: [{ kind: 'Group', name: '' }] }, ['subjects[0].name']],
    [{ subjects: [{ kind: '', name: 'a' }] }, ['subjects[0].kind']],
    [{ subjects: [{ kind: 'ServiceAccount', name: 'A_b', namespace: 'default' }] }, ['subjects[0].name']],
    [
      {
        subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'default', apiGroup: 'rbac.authorization.k8s.io' }],
      },
      ['subjects[0].apiGroup'],
    ],
    [{ 'roleRef.name': 'a/b' }, ['roleRef.name']],
  ],
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings': [
    [{ 'roleRef.kind': 'Pod' }, ['roleRef.kind']],
    [{ subjects: [{ kind: 'Robot', name: 'a' }] }, ['subjects[0].kind']],
    [{ subjects: [{ kind: 'User', name: 'a', apiGroup: 'v1' }] }, ['subjects[0].apiGroup']],
    [{ 'metadata.name': 'a/b' }, ['metadata.name']],
    [{ 'metadata.name': 'a%b' }, ['metadata.name']],
    [{ 'metadata.name': '..' }, ['metadata.name']],
  ],
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles': [
    [{ rules: [{ apiGroups: [''], resources: ['pods'] }] }, ['rules[0].verbs']],
    [{ rules: [{ verbs: ['get'], resources: ['pods'] }] }, ['rules[0].apiGroups']],
    [{ rules: [{ verbs: ['get'], apiGroups: [''] }] }, ['rules[0].resources']],
    [{ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, ['rules[0].nonResourceURLs']],
    [{ rules: [{}] }, ['rules[0].apiGroups', 'rules[0].resources', 'rules[0].verbs']],
    [
      { rules: [{ verbs: [], apiGroups: [], resources: [] }] },
      ['rules[0].apiGroups', 'rules[0].resources', 'rules[0].verbs'],
    ],
  ],
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': [
    [
      { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }] },
      ['rules[0].nonResourceURLs'],
    ],
    [{ rules: [{ nonResourceURLs: ['/x'] }] }, ['rules[0].verbs']],
    [{ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resourceNames: ['a'] }] }, ['rules[0].nonResourceURLs']],
    [{ aggregationRule: {} }, ['aggregationRule.clusterRoleSelectors']],
    [{ aggregationRule: { clusterRoleSelectors: [] } }, ['aggregationRule.clusterRoleSelectors']],
    [{ aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Odd' }] }] } }],
    [{ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] } }],
  ],
  '/apis/coordination.k8s.io/v1/namespaces/default/leases': [
    [{ 'spec.leaseDurationSeconds': 0 }, ['spec.leaseDurationSeconds']],
    [{ 'spec.leaseDurationSeconds': -1 }, ['spec.leaseDurationSeconds']],
    [{ 'spec.leaseTransitions': -1 }, ['spec.leaseTransitions']],
    [{ 'metadata.name': 'A' }, ['metadata.name']],
  ],
  '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies': [
    [{ 'spec.ingress': [{ from: [{ ipBlock: { cidr: '1.2.3.4/33' } }] }] }, ['spec.ingress[0].from[0].ipBlock.cidr']],
    [{ 'spec.ingress': [{ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }] }, ['spec.ingress[0].from[0].ipBlock.cidr']],
    [
      { 'spec.ingress': [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['x'] } }] }] },
      ['spec.ingress[0].from[0].ipBlock.except[0]'],
    ],
    [
      { 'spec.ingress': [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }] },
      ['spec.ingress[0].from[0].ipBlock.except[0]'],
    ],
    [
      { 'spec.ingress': [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }] }] },
      ['spec.ingress[0].from[0].ipBlock.except[0]'],
    ],
    [{ 'spec.ingress': [{ from: [{}] }] }, ['spec.ingress[0].from[0]']],
    [
      { 'spec.ingress': [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }] }] },
      ['spec.ingress[0].from[0]'],
    ],
    [{ 'spec.egress': [{ to: [{ ipBlock: { cidr: '1.2.3.4/33' } }] }] }, ['spec.egress[0].to[0].ipBlock.cidr']],
    [{ 'spec.egress': [{ to: [{}] }] }, ['spec.egress[0].to[0]']],
    [{ 'spec.egress': [{ ports: [{ port: 0 }] }] }, ['spec.egress[0].ports[0].port']],
    [{ 'spec.egress': [{ ports: [{ port: 80, protocol: 'X' }] }] }, ['spec.egress[0].ports[0].protocol']],
    [{ 'spec.egress': [{ ports: [{ port: 'A_B' }] }] }, ['spec.egress[0].ports[0].port']],
    [{ 'spec.policyTypes': ['Odd'] }, ['spec.policyTypes[0]']],
    [{ 'spec.policyTypes': ['Ingress', 'Egress', 'Ingress'] }, ['spec.policyTypes']],
    [
      { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      ['spec.podSelector.matchExpressions[0].values'],
    ],
    [
      { 'spec.egress': [{ to: [{ namespaceSelector: { matchLabels: { 'a b': 'x' } } }] }] },
      ['spec.egress[0].to[0].namespaceSelector.matchLabels'],
    ],
    [{ 'spec.ingress': [{ from: [{ ipBlock: {} }] }] }, ['spec.ingress[0].from[0].ipBlock.cidr']],
    [{ 'spec.ingress': [{ ports: [{ port: 70000 }] }] }, ['spec.ingress[0].ports[0].port']],
  ],
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses': [
    [{ 'spec.ingressClassName': '' }, ['spec.ingressClassName']],
    [
      {
        'spec.defaultBackend': { service: { name: 'A', port: { number: 80 } } },
        'spec.ingressClassName': '',
        'spec.tls': [{ hosts: ['A b'] }],
      },
      ['spec.defaultBackend.service.name', 'spec.ingressClassName', 'spec.tls[0].hosts[0]'],
    ],
    [{ 'spec.rules': [{ host: 'a.b', http: {} }] }, ['spec.rules[0].http.paths']],
    [
      { 'spec.defaultBackend': { service: { name: 's', port: { number: -1 } } } },
      ['spec.defaultBackend.service.port.number'],
    ],
    [
      { 'spec.defaultBackend': { service: { name: 's', port: { name: 'A_b!' } } } },
      ['spec.defaultBackend.service.port.name'],
    ],
    [{ 'spec.defaultBackend': { service: {} } }, ['spec.defaultBackend', 'spec.defaultBackend.service.name']],
    [{ 'spec.defaultBackend': { service: { name: 's', port: { name: 'x', number: 80 } } } }, ['spec.defaultBackend']],
    [{ 'spec.defaultBackend': { service: { name: 's', port: {} } } }, ['spec.defaultBackend']],
    [{ 'spec.defaultBackend': { service: { name: 's' } } }, ['spec.defaultBackend']],
    [{ 'spec.defaultBackend': { service: { name: '', port: { number: 80 } } } }, ['spec.defaultBackend.service.name']],
    [{ 'spec.defaultBackend': { service: { name: 'A', port: { number: 80 } } } }, ['spec.defaultBackend.service.name']],
    [{ 'spec.defaultBackend': { service: { name: 's', port: { number: 70000 } } } }],
    [{ 'spec.defaultBackend': { service: { name: 's', port: { name: 'A_B' } } } }],
    [{ 'spec.defaultBackend': {} }, ['spec.defaultBackend']],
    [
      { 'spec.defaultBackend': { resource: { kind: 'K', name: 'n' }, service: { name: 's', port: { number: 80 } } } },
      ['spec.defaultBackend'],
    ],
    [{ 'spec.defaultBackend': { resource: { kind: '', name: 'n' } } }],
    [{ 'spec.ingressClassName': 'A_' }, ['spec.ingressClassName']],
    [
      { 'metadata.annotations': { 'kubernetes.io/ingress.class': 'x' }, 'spec.ingressClassName': 'y' },
      ['annotations.kubernetes.io/ingress.class'],
    ],
    [{ spec: {} }, ['spec']],
    [{ 'spec.tls': [{ hosts: ['a b'] }] }, ['spec.tls[0].hosts[0]']],
    [{ 'spec.tls': [{ secretName: 'A_' }] }, ['spec.tls[0].secretName']],
    [{ 'spec.rules': [{ host: '1.2.3.4' }] }, ['spec.rules[0].host']],
    [{ 'spec.rules': [{ host: 'a_b' }] }, ['spec.rules[0].host']],
    [{ 'spec.rules': [{ host: '*.a_b' }] }, ['spec.rules[0].host']],
    [{ 'spec.rules': [{ host: '*.' }] }, ['spec.rules[0].host']],
    [{ 'spec.rules': [{ http: { paths: [] } }] }, ['spec.rules[0].http.paths']],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [{ path: 'x', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].path'],
    ],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [{ path: '/a//b', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].path'],
    ],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [
                { path: '/a/../b', pathType: 'Exact', backend: { service: { name: 's', port: { number: 80 } } } },
              ],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].path'],
    ],
    [
      {
        'spec.rules': [
          { http: { paths: [{ path: '/a', backend: { service: { name: 's', port: { number: 80 } } } }] } },
        ],
      },
      ['spec.rules[0].http.paths[0].pathType'],
    ],
    [{ 'spec.rules': [{ http: { paths: [{ path: '/a', backend: {} }] } }] }, ['spec.rules[0].http.paths[0].pathType']],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [{ path: '/a', pathType: 'Odd', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].pathType'],
    ],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [{ path: '', pathType: 'Exact', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].path'],
    ],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [{ path: '/%2f', pathType: 'Exact', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].path'],
    ],
    [
      {
        'spec.rules': [
          {
            http: {
              paths: [
                {
                  path: 'a b',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
      ['spec.rules[0].http.paths[0].path'],
    ],
  ],
  '/apis/networking.k8s.io/v1/ingressclasses': [
    [{ spec: undefined }, ['spec.controller']],
    [{ 'spec.parameters': { kind: 'x', name: 'y', apiGroup: '' } }, ['spec.parameters.apiGroup']],
    [{ 'spec.controller': '' }, ['spec.controller']],
    [{ 'spec.controller': 'x' }, ['spec.controller']],
    [{ 'spec.controller': 'a b/c' }, ['spec.controller']],
    [
      {
        'spec.controller':
          'example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      },
      ['spec.controller'],
    ],
    [{ 'spec.parameters': { kind: '', name: 'n' } }, ['spec.parameters.kind']],
    [{ 'spec.parameters': { kind: 'K', name: '' } }, ['spec.parameters.name']],
    [{ 'spec.parameters': { kind: 'K', name: 'a/b' } }, ['spec.parameters.name']],
    [{ 'spec.parameters': { apiGroup: 'A_', kind: 'K', name: 'n' } }, ['spec.parameters.apiGroup']],
  ],
  '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets': [
    [{ spec: { minAvailable: 1, maxUnavailable: 1 } }, ['spec']],
    [{ spec: { minAvailable: -1 } }, ['spec.minAvailable']],
    [{ spec: { minAvailable: '' } }, ['spec.minAvailable']],
    [{ spec: { minAvailable: '101%' } }, ['spec.minAvailable']],
    [{ spec: { maxUnavailable: 'x' } }, ['spec.maxUnavailable']],
    [{ spec: { maxUnavailable: -1 } }, ['spec.maxUnavailable']],
    [{ spec: { selector: { matchLabels: { 'a b': 'c' } } } }, ['spec.selector.matchLabels']],
    [{ spec: { maxUnavailable: '200%' } }, ['spec.maxUnavailable']],
  ],
  '/apis/apps/v1/namespaces/default/controllerrevisions': [
    [{ data: undefined }, ['data']],
    [{ revision: -1 }, ['revision']],
    [{ 'metadata.name': 'A_' }, ['metadata.name']],
  ],
  '/apis/apps/v1/namespaces/default/daemonsets': [
    [{ 'spec.selector': undefined }],
    [{ 'spec.selector': {} }],
    [{ 'spec.selector.matchLabels': { app: 'b' } }, ['spec.template.metadata.labels']],
    [{ 'spec.updateStrategy': { type: 'Odd' } }],
    [
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable'],
    ],
    [
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '200%' } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable'],
    ],
    [
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 'x' } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable'],
    ],
    [
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: -1 } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable'],
    ],
    [{ 'spec.minReadySeconds': -1 }, ['spec.minReadySeconds']],
    [{ 'spec.revisionHistoryLimit': -1 }, ['spec.revisionHistoryLimit']],
    [{ 'spec.template.spec.restartPolicy': 'Never' }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.activeDeadlineSeconds': 5 }, ['spec.template.spec.activeDeadlineSeconds']],
    [{ 'spec.template.metadata.labels': { 'a b': 'c' } }, ['spec.template.labels', 'spec.template.metadata.labels']],
  ],
  '/apis/apps/v1/namespaces/default/deployments': [
    [{ 'spec.selector': {} }, ['spec.selector']],
    [{ 'spec.selector': { matchLabels: { app: 'X_!' } } }, ['spec.selector', 'spec.selector.matchLabels']],
    [{ 'spec.selector': undefined }, ['spec.selector', 'spec.template.metadata.labels']],
    [{ 'spec.strategy': { type: 'Odd' } }],
    [{ 'spec.strategy': { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }, ['spec.strategy.rollingUpdate']],
    [
      { 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable'],
    ],
    [
      { 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxSurge: -1 } } },
      ['spec.strategy.rollingUpdate.maxSurge'],
    ],
    [
      { 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '101%' } } },
      ['spec.strategy.rollingUpdate.maxUnavailable'],
    ],
    [
      { 'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxSurge: '1.5%' } } },
      ['spec.strategy.rollingUpdate.maxSurge'],
    ],
    [{ 'spec.replicas': -1 }, ['spec.replicas']],
    [{ 'spec.minReadySeconds': -1 }, ['spec.minReadySeconds']],
    [{ 'spec.revisionHistoryLimit': -1 }, ['spec.revisionHistoryLimit']],
    [{ 'spec.progressDeadlineSeconds': -1 }, ['spec.progressDeadlineSeconds']],
    [{ 'spec.progressDeadlineSeconds': 5, 'spec.minReadySeconds': 5 }, ['spec.progressDeadlineSeconds']],
    [{ 'spec.template.spec.restartPolicy': 'OnFailure' }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.activeDeadlineSeconds': 5 }, ['spec.template.spec.activeDeadlineSeconds']],
    [{ 'spec.template': undefined }, ['spec.template.metadata.labels', 'spec.template.spec.containers']],
    [{ 'spec.template.metadata.labels': { app: 'c' } }, ['spec.template.metadata.labels']],
  ],
  '/apis/apps/v1/namespaces/default/replicasets': [
    [{ 'spec.selector': undefined }, ['spec.selector', 'spec.template.metadata.labels']],
    [{ 'spec.replicas': -1 }, ['spec.replicas']],
    [{ 'spec.minReadySeconds': -1 }, ['spec.minReadySeconds']],
    [{ 'spec.template.spec.restartPolicy': 'Never' }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.activeDeadlineSeconds': 5 }, ['spec.template.spec.activeDeadlineSeconds']],
    [{ 'spec.template.metadata.labels': { app: 'c' } }, ['spec.template.metadata.labels']],
  ],
  '/apis/apps/v1/namespaces/default/statefulsets': [
    [{ 'spec.selector': undefined }, ['spec.selector', 'spec.template.metadata.labels']],
    [{ 'spec.replicas': -1 }, ['spec.replicas']],
    [{ 'spec.podManagementPolicy': 'Odd' }, ['spec.podManagementPolicy']],
    [{ 'spec.updateStrategy': { type: 'Odd' } }, ['spec.updateStrategy']],
    [
      { 'spec.updateStrategy': { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      ['spec.updateStrategy.rollingUpdate'],
    ],
    [
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } },
      ['spec.updateStrategy.rollingUpdate.partition'],
    ],
    [{ 'spec.template.spec.restartPolicy': 'Never' }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.activeDeadlineSeconds': 5 }, ['spec.template.spec.activeDeadlineSeconds']],
    [{ 'spec.template.metadata.labels': { app: 'c' } }, ['spec.template.metadata.labels']],
  ],
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers': [
    [{ 'spec.maxReplicas': 0 }, ['spec.maxReplicas']],
    [{ 'spec.minReplicas': -1 }, ['spec.minReplicas']],
    [{ 'spec.minReplicas': 5 }, ['spec.maxReplicas']],
    [{ 'spec.scaleTargetRef.kind': '' }, ['spec.scaleTargetRef.kind']],
    [{ 'spec.scaleTargetRef.name': '' }, ['spec.scaleTargetRef.name']],
    [{ 'spec.scaleTargetRef.kind': 'a/b' }, ['spec.scaleTargetRef.kind']],
    [{ 'spec.scaleTargetRef.name': 'a/b' }, ['spec.scaleTargetRef.name']],
    [{ 'spec.targetCPUUtilizationPercentage': -1 }],
    [{ 'spec.targetCPUUtilizationPercentage': 0 }],
    [{ 'spec.minReplicas': 0 }],
    [{ 'spec.maxReplicas': -1 }, ['spec.maxReplicas']],
  ],
  '/apis/batch/v1/namespaces/default/jobs': [
    [{ 'spec.parallelism': -1 }, ['spec.parallelism']],
    [{ 'spec.completions': -1 }, ['spec.completions']],
    [{ 'spec.backoffLimit': -1 }, ['spec.backoffLimit']],
    [{ 'spec.activeDeadlineSeconds': -1 }, ['spec.activeDeadlineSeconds']],
    [{ 'spec.template.spec.restartPolicy': 'Always' }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.restartPolicy': undefined }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.selector': { matchLabels: { a: 'b' } } }, ['spec.selector', 'spec.template.metadata.labels']],
    [{ 'spec.manualSelector': true }, ['spec.selector', 'spec.template.metadata.labels']],
    [{ 'spec.template.spec.containers': [] }, ['spec.template.spec.containers']],
  ],
  '/apis/batch/v1beta1/namespaces/default/cronjobs': [
    [{ 'spec.schedule': '' }, ['spec.schedule']],
    [{ 'spec.schedule': 'x' }, ['spec.schedule']],
    [{ 'spec.schedule': '* * * *' }, ['spec.schedule']],
    [{ 'spec.schedule': '61 * * * *' }, ['spec.schedule']],
    [{ 'spec.schedule': '@never' }, ['spec.schedule']],
    [{ 'spec.schedule': '* * * * 8' }, ['spec.schedule']],
    [{ 'spec.schedule': '*/0 * * * *' }, ['spec.schedule']],
    [{ 'spec.schedule': '5-1 * * * *' }, ['spec.schedule']],
    [{ 'spec.schedule': 'TZ=UTC * * * * *' }, ['spec.schedule']],
    [{ 'spec.concurrencyPolicy': 'Odd' }, ['spec.concurrencyPolicy']],
    [{ 'spec.startingDeadlineSeconds': -1 }, ['spec.startingDeadlineSeconds']],
    [{ 'spec.successfulJobsHistoryLimit': -1 }, ['spec.successfulJobsHistoryLimit']],
    [{ 'spec.failedJobsHistoryLimit': -1 }, ['spec.failedJobsHistoryLimit']],
    [
      { 'spec.jobTemplate.spec.template.spec.restartPolicy': 'Always' },
      ['spec.jobTemplate.spec.template.spec.restartPolicy'],
    ],
    [{ 'spec.jobTemplate.spec.template.spec.containers': [] }, ['spec.jobTemplate.spec.template.spec.containers']],
    [{ 'spec.jobTemplate.spec.parallelism': -1 }, ['spec.jobTemplate.spec.parallelism']],
    [{ 'spec.jobTemplate.spec.backoffLimit': -1 }, ['spec.jobTemplate.spec.backoffLimit']],
    [{ 'spec.jobTemplate.spec.selector': { matchLabels: { a: 'b' } } }, ['spec.jobTemplate.spec.selector']],
    [{ 'spec.jobTemplate.spec.manualSelector': true }, ['spec.jobTemplate.spec.manualSelector']],
    [{ 'metadata.name': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }, ['metadata.name']],
    [{ 'spec.jobTemplate.spec.completions': -1 }, ['spec.jobTemplate.spec.completions']],
    [{ 'spec.jobTemplate.spec.activeDeadlineSeconds': -1 }, ['spec.jobTemplate.spec.activeDeadlineSeconds']],
    [
      { 'spec.jobTemplate.spec.template.spec.containers[0].image': '' },
      ['spec.jobTemplate.spec.template.spec.containers[0].image'],
    ],
  ],
  '/api/v1/namespaces/default/pods': [
    [{ 'spec.containers': [{ name: 'm', image: ' x' }] }, ['spec.containers[0].image']],
    [
      { 'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution': [{ weight: 1 }] },
      ['spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey'],
    ],
    [
      {
        'spec.topologySpreadConstraints': ['DoNotSchedule', 'DoNotSchedule'].map((whenUnsatisfiable) => ({
          ...{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable },
        })),
      },
      ['spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}'],
    ],
    [{ 'spec.readinessGates': [null] }, ['spec.readinessGates[0].conditionType']],
    [{ 'spec.hostAliases': [null] }],
    [{ 'spec.securityContext': { fsGroupChangePolicy: '' } }, ['spec.securityContext.fsGroupChangePolicy']],
    [
      { 'spec.securityContext': { windowsOptions: { gmsaCredentialSpecName: '' } } },
      ['spec.securityContext.windowsOptions.gmsaCredentialSpecName'],
    ],
    [
      { 'spec.securityContext': { windowsOptions: { gmsaCredentialSpec: '' } } },
      ['spec.securityContext.windowsOptions.gmsaCredentialSpec'],
    ],
    ...[
      ['azureDisk', { diskName: 'd', diskURI: 'https://x/y', kind: '' }, 'azureDisk.kind'],
      [
        'iscsi',
        { targetPortal: 't', iqn: 'iqn.2001-04.com.example:s', lun: 0, initiatorName: 'x' },
        'iscsi.initiatorname',
      ],
      ['scaleIO', { gateway: 'g', system: 's', secretRef: { name: 'n' } }, 'scaleIO.volumeName'],
      ['storageos', { volumeName: 'A_b' }, 'storageos.volumeName'],
      ['storageos', { volumeName: 'v', volumeNamespace: 'A_b' }, 'storageos.volumeNamespace'],
      ['storageos', { volumeName: 'v', secretRef: {} }, 'storageos.secretRef.name'],
      ['flocker', { datasetName: 'd', datasetUUID: 'u' }, 'flocker'],
    ].map(
      ([kind, source, field]): Refusal => [
        { 'spec.volumes': [{ name: 'v', [String(kind)]: source }] },
        [`spec.volumes[0].${field}`],
      ],
    ),
    [{ 'spec.activeDeadlineSeconds': 0 }, ['spec.activeDeadlineSeconds']],
    [{ 'spec.activeDeadlineSeconds': -1 }, ['spec.activeDeadlineSeconds']],
    [{ 'spec.activeDeadlineSeconds': 2147483648 }, ['spec.activeDeadlineSeconds']],
    [{ 'spec.containers': [] }, ['spec.containers']],
    [{ 'spec.containers[0].name': '' }, ['spec.containers[0].name']],
    [{ 'spec.containers[0].name': 'A' }, ['spec.containers[0].name']],
    [{ 'spec.containers[0].image': '' }, ['spec.containers[0].image']],
    [{ 'spec.containers[0].image': ' x' }, ['spec.containers[0].image']],
    [{ 'spec.containers[0].imagePullPolicy': 'Odd' }, ['spec.containers[0].imagePullPolicy']],
    [{ 'spec.containers[0].terminationMessagePolicy': 'Odd' }, ['spec.containers[0].terminationMessagePolicy']],
    [{ 'spec.containers[0].ports': [{ containerPort: 0 }] }, ['spec.containers[0].ports[0].containerPort']],
    [{ 'spec.containers[0].ports': [{ containerPort: 70000 }] }, ['spec.containers[0].ports[0].containerPort']],
    [
      { 'spec.containers[0].ports': [{ containerPort: 80, hostPort: 70000 }] },
      ['spec.containers[0].ports[0].hostPort'],
    ],
    [{ 'spec.containers[0].ports': [{ containerPort: 80, hostPort: -1 }] }, ['spec.containers[0].ports[0].hostPort']],
    [{ 'spec.containers[0].ports': [{ containerPort: 80, protocol: 'X' }] }, ['spec.containers[0].ports[0].protocol']],
    [{ 'spec.containers[0].ports': [{ name: 'A_', containerPort: 80 }] }, ['spec.containers[0].ports[0].name']],
    [
      {
        'spec.containers[0].ports': [
          { name: 'a', containerPort: 80 },
          { name: 'a', containerPort: 81 },
        ],
      },
      ['spec.containers[0].ports[1].name'],
    ],
    [
      { 'spec.containers[0].ports': [{ name: 'aaaaaaaaaaaaaaaaa', containerPort: 80 }] },
      ['spec.containers[0].ports[0].name'],
    ],
    [
      {
        'spec.containers[0].ports': [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      },
      ['spec.containers[0].ports[1].hostPort'],
    ],
    [{ 'spec.containers[0].ports': [{ name: '1', containerPort: 80 }] }, ['spec.containers[0].ports[0].name']],
    [{ 'spec.containers[0].env': [{ name: '' }] }, ['spec.containers[0].env[0].name']],
    [{ 'spec.containers[0].env': [{ name: 'a=b' }] }, ['spec.containers[0].env[0].name']],
    [
      {
        'spec.containers[0].env': [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      },
      ['spec.containers[0].env[0].valueFrom'],
    ],
    [{ 'spec.containers[0].env': [{ name: 'A', valueFrom: {} }] }, ['spec.containers[0].env[0].valueFrom']],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'x.y' } } }] },
      ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: '' } } }] },
      ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] },
      ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
    ],
    [
      {
        'spec.containers[0].env': [
          { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v9', fieldPath: 'metadata.name' } } },
        ],
      },
      ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }] },
      ['spec.containers[0].env[0].valueFrom.fieldRef'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { resourceFieldRef: { resource: '' } } }] },
      ['spec.containers[0].env[0].valueFrom.resourceFieldRef.resource'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.x' } } }] },
      ['spec.containers[0].env[0].valueFrom.resourceFieldRef.resource'],
    ],
    [
      {
        'spec.containers[0].env': [
          { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } },
        ],
      },
      ['spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { configMapKeyRef: { key: 'k' } } }] },
      ['spec.containers[0].env[0].valueFrom.configMapKeyRef.name'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c' } } }] },
      ['spec.containers[0].env[0].valueFrom.configMapKeyRef.key'],
    ],
    [
      { 'spec.containers[0].env': [{ name: 'A', valueFrom: { secretKeyRef: { name: 'c', key: 'a b' } } }] },
      ['spec.containers[0].env[0].valueFrom.secretKeyRef.key'],
    ],
    [
      {
        'spec.containers[0].env': [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'c', key: 'k' }, configMapKeyRef: { name: 'c', key: 'k' } } },
        ],
      },
      ['spec.containers[0].env[0].valueFrom'],
    ],
    [{ 'spec.containers[0].envFrom': [{}] }],
    [
      { 'spec.containers[0].envFrom': [{ configMapRef: { name: '' } }] },
      ['spec.containers[0].envFrom[0].configMapRef.name'],
    ],
    [
      { 'spec.containers[0].envFrom': [{ prefix: 'a=', configMapRef: { name: 'c' } }] },
      ['spec.containers[0].envFrom[0].prefix'],
    ],
    [{ 'spec.containers[0].envFrom': [{ configMapRef: { name: 'c' }, secretRef: { name: 's' } }] }],
    [
      { 'spec.containers[0].envFrom': [{ secretRef: { name: 'A_' } }] },
      ['spec.containers[0].envFrom[0].secretRef.name'],
    ],
    [
      {
        'spec.containers[0].volumeMounts': [{ name: 'A', mountPath: '/a' }],
        'spec.volumes': [
          { name: 'A', emptyDir: {} },
          { name: 'c', csi: { driver: 'x'.repeat(64) } },
        ],
      },
      ['spec.containers[0].volumeMounts[0].name', 'spec.volumes[0].name', 'spec.volumes[1].csi.driver'],
    ],
    [
      { 'spec.containers[0].volumeMounts': [{ name: '', mountPath: '/a' }] },
      ['spec.containers[0].volumeMounts[0].name'],
    ],
    [
      { 'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/a' }] },
      ['spec.containers[0].volumeMounts[0].name'],
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '' }],
      },
      ['spec.containers[0].volumeMounts[0].mountPath'],
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [
          { name: 'v', mountPath: '/a' },
          { name: 'v', mountPath: '/a' },
        ],
      },
      ['spec.containers[0].volumeMounts[1].mountPath'],
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/a', subPath: '/b' }],
      },
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/a', subPath: '../b' }],
      },
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/a', subPath: 'a', subPathExpr: 'b' }],
      },
      ['spec.containers[0].volumeMounts[0].subPathExpr'],
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/a', mountPropagation: 'Odd' }],
      },
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/a', mountPropagation: 'Bidirectional' }],
      },
    ],
    [
      { 'spec.containers[0].volumeDevices': [{ name: 'v', devicePath: '/d' }] },
      ['spec.containers[0].volumeDevices[0].name'],
    ],
    [
      {
        'spec.volumes': [{ name: 'v', emptyDir: {} }],
        'spec.containers[0].volumeDevices': [{ name: 'v', devicePath: '/d' }],
      },
      ['spec.containers[0].volumeDevices[0].name'],
    ],
    [{ 'spec.containers[0].livenessProbe': {} }, ['spec.containers[0].livenessProbe']],
    [
      { 'spec.containers[0].livenessProbe': { httpGet: { port: 0 } } },
      ['spec.containers[0].livenessProbe.httpGet.port'],
    ],
    [
      { 'spec.containers[0].livenessProbe': { httpGet: { port: 80, scheme: 'X' } } },
      ['spec.containers[0].livenessProbe.httpGet.scheme'],
    ],
    [
      { 'spec.containers[0].livenessProbe': { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
      ['spec.containers[0].livenessProbe.tcpSocket'],
    ],
    [
      { 'spec.containers[0].livenessProbe': { exec: { command: [] } } },
      ['spec.containers[0].livenessProbe.exec.command'],
    ],
    [
      { 'spec.containers[0].livenessProbe': { tcpSocket: { port: 80 }, successThreshold: 2 } },
      ['spec.containers[0].livenessProbe.successThreshold'],
    ],
    [
      { 'spec.containers[0].livenessProbe': { tcpSocket: { port: 80 }, periodSeconds: -1 } },
      ['spec.containers[0].livenessProbe.periodSeconds'],
    ],
    [
      { 'spec.containers[0].startupProbe': { tcpSocket: { port: 80 }, successThreshold: 2 } },
      ['spec.containers[0].startupProbe.successThreshold'],
    ],
    [{ 'spec.containers[0].startupProbe': {} }, ['spec.containers[0].startupProbe']],
    [
      { 'spec.containers[0].readinessProbe': { tcpSocket: { port: 'A_' } } },
      ['spec.containers[0].readinessProbe.tcpSocket.port'],
    ],
    [{ 'spec.containers[0].livenessProbe': { httpGet: { port: 80, httpHeaders: [{ name: 'a b', value: 'x' }] } } }],
    [{ 'spec.containers[0].lifecycle': { preStop: {} } }, ['spec.containers[0].lifecycle.preStop']],
    [
      { 'spec.containers[0].lifecycle': { postStart: { httpGet: { port: -1 } } } },
      ['spec.containers[0].lifecycle.postStart.httpGet.port'],
    ],
    [
      { 'spec.containers[0].lifecycle': { preStop: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } } },
      ['spec.containers[0].lifecycle.preStop.tcpSocket'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { cpu: '-1' } } },
      ['spec.containers[0].resources.limits[cpu]', 'spec.containers[0].resources.requests[cpu]'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { cpu: '1' }, requests: { cpu: '2' } } },
      ['spec.containers[0].resources.requests'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { odd: '1' } } },
      ['spec.containers[0].resources.limits[odd]', 'spec.containers[0].resources.requests[odd]'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { 'a b/c': '1' } } },
      ['spec.containers[0].resources.limits[a b/c]', 'spec.containers[0].resources.requests[a b/c]'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { 'example.com/gpu': '1.5' } } },
      [
        'spec.containers[0].resources.limits[example.com/gpu]',
        'spec.containers[0].resources.requests[example.com/gpu]',
      ],
    ],
    [
      { 'spec.containers[0].resources': { requests: { 'example.com/gpu': '1' } } },
      ['spec.containers[0].resources.limits'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { 'example.com/gpu': '2' }, requests: { 'example.com/gpu': '1' } } },
      ['spec.containers[0].resources.requests'],
    ],
    [{ 'spec.containers[0].resources': { limits: { 'hugepages-2Mi': '2Mi' } } }, ['spec.containers[0].resources']],
    [
      { 'spec.containers[0].resources': { limits: { pods: '1' } } },
      ['spec.containers[0].resources.limits[pods]', 'spec.containers[0].resources.requests[pods]'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { storage: '1' } } },
      ['spec.containers[0].resources.limits[storage]', 'spec.containers[0].resources.requests[storage]'],
    ],
    [
      { 'spec.containers[0].resources': { limits: { 'requests.example.com/x': '1' } } },
      [
        'spec.containers[0].resources.limits[requests.example.com/x]',
        'spec.containers[0].resources.requests[requests.example.com/x]',
      ],
    ],
    [{ 'spec.containers[0].securityContext': { runAsUser: -1 } }, ['spec.containers[0].securityContext.runAsUser']],
    [{ 'spec.containers[0].securityContext': { runAsGroup: -1 } }, ['spec.containers[0].securityContext.runAsGroup']],
    [
      { 'spec.containers[0].securityContext': { privileged: true, allowPrivilegeEscalation: false } },
      ['spec.containers[0].securityContext'],
    ],
    [
      {
        'spec.containers[0].securityContext': {
          capabilities: { add: ['CAP_SYS_ADMIN'] },
          allowPrivilegeEscalation: false,
        },
      },
      ['spec.containers[0].securityContext'],
    ],
    [
      { 'spec.containers[0].securityContext': { seccompProfile: { type: 'Odd' } } },
      ['spec.containers[0].securityContext.seccompProfile.type'],
    ],
    [
      { 'spec.containers[0].securityContext': { seccompProfile: { type: 'Localhost' } } },
      ['spec.containers[0].securityContext.seccompProfile.localhostProfile'],
    ],
    [
      { 'spec.containers[0].securityContext': { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } } },
      ['spec.containers[0].securityContext.seccompProfile.localhostProfile'],
    ],
    [{ 'spec.containers[0].securityContext': { seccompProfile: { type: 'Localhost', localhostProfile: '../a' } } }],
    [{ 'spec.containers[0].securityContext': { seccompProfile: { type: 'Localhost', localhostProfile: '/a' } } }],
    [
      { 'spec.containers[0].securityContext': { windowsOptions: { gmsaCredentialSpecName: 'A_' } } },
      ['spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName'],
    ],
    [
      { 'spec.containers[0].securityContext': { windowsOptions: { runAsUserName: '' } } },
      ['spec.containers[0].securityContext.windowsOptions.runAsUserName'],
    ],
    [{ 'spec.restartPolicy': 'Odd' }, ['spec.restartPolicy']],
    [{ 'spec.dnsPolicy': 'Odd' }, ['spec.dnsPolicy']],
    [{ 'spec.dnsPolicy': 'None' }, ['spec.dnsConfig']],
    [{ 'spec.dnsConfig': { nameservers: ['x'] } }, ['spec.dnsConfig.nameservers[0]']],
    [
      { 'spec.dnsConfig': { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
      ['spec.dnsConfig.nameservers'],
    ],
    [{ 'spec.dnsConfig': { searches: ['A_'] } }, ['spec.dnsConfig.searches[0]']],
    [{ 'spec.dnsConfig': { options: [{ name: '' }] } }, ['spec.dnsConfig.options[0]']],
    [{ 'spec.nodeSelector': { 'a b': 'c' } }, ['spec.nodeSelector']],
    [{ 'spec.nodeSelector': { a: 'b c' } }, ['spec.nodeSelector']],
    [{ 'spec.serviceAccountName': 'A' }, ['spec.serviceAccountName']],
    [{ 'spec.nodeName': 'A_' }, ['spec.nodeName']],
    [{ 'spec.hostname': 'A_' }, ['spec.hostname']],
    [{ 'spec.subdomain': 'A_' }, ['spec.subdomain']],
    [{ 'spec.hostAliases': [{ ip: 'x' }] }],
    [{ 'spec.hostAliases': [{ ip: '1.2.3.4', hostnames: ['a_b'] }] }],
    [{ 'spec.readinessGates': [{ conditionType: 'a b' }] }, ['spec.readinessGates[0].conditionType']],
    [{ 'spec.shareProcessNamespace': true, 'spec.hostPID': true }, ['spec.securityContext.shareProcessNamespace']],
    [{ 'spec.tolerations': [{ operator: 'Odd', key: 'a' }] }, ['spec.tolerations[0].operator']],
    [{ 'spec.tolerations': [{ key: 'a b' }] }, ['spec.tolerations[0].key']],
    [{ 'spec.tolerations': [{ operator: 'Equal' }] }, ['spec.tolerations[0].operator']],
    [{ 'spec.tolerations': [{ key: 'a', operator: 'Exists', value: 'b' }] }, ['spec.tolerations[0].operator']],
    [{ 'spec.tolerations': [{ key: 'a', effect: 'Odd' }] }, ['spec.tolerations[0].effect']],
    [
      { 'spec.tolerations': [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 }] },
      ['spec.tolerations[0].effect'],
    ],
    [{ 'spec.tolerations': [{ key: 'a', value: 'b c' }] }, ['spec.tolerations[0].operator']],
    [
      { 'spec.topologySpreadConstraints': [{ maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] },
      ['spec.topologySpreadConstraints[0].maxSkew'],
    ],
    [
      { 'spec.topologySpreadConstraints': [{ maxSkew: 1, topologyKey: '', whenUnsatisfiable: 'DoNotSchedule' }] },
      ['spec.topologySpreadConstraints[0].topologyKey'],
    ],
    [
      { 'spec.topologySpreadConstraints': [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'Odd' }] },
      ['spec.topologySpreadConstraints[0].whenUnsatisfiable'],
    ],
    [
      {
        'spec.topologySpreadConstraints': [
          { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' },
          { maxSkew: 2, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
        },
      },
      ['spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'],
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
            },
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
      ],
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Odd' }] }],
            },
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator',
      ],
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['x', 'y'] }] }],
            },
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
      ],
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }],
            },
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
      ],
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['x'] }] }],
            },
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key',
      ],
    ],
    [
      {
        'spec.affinity': {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 0, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
            ],
          },
        },
      },
      ['spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight'],
    ],
    [
      { 'spec.affinity': { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: '' }] } } },
      ['spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey'],
    ],
    [
      {
        'spec.affinity': {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: 'a' } }],
          },
        },
      },
      ['spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight'],
    ],
    [
      {
        'spec.affinity': {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
            ],
          },
        },
      },
    ],
    [
      {
        'spec.affinity': {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', namespaces: ['A_'] }] },
        },
      },
    ],
    [
      {
        'spec.affinity': {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a b' }] },
        },
      },
      ['spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey'],
    ],
    [{ 'spec.securityContext': { sysctls: [{ name: '', value: '1' }] } }, ['spec.securityContext.sysctls[0].name']],
    [{ 'spec.securityContext': { sysctls: [{ name: 'a b', value: '1' }] } }, ['spec.securityContext.sysctls[0].name']],
    [
      {
        'spec.securityContext': {
          sysctls: [
            { name: 'a.b', value: '1' },
            { name: 'a.b', value: '2' },
          ],
        },
      },
      ['spec.securityContext.sysctls[1].name'],
    ],
    [
      {
        'spec.securityContext': {
          sysctls: [
            {
              name: 'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.',
              value: '1',
            },
          ],
        },
      },
      ['spec.securityContext.sysctls[0].name'],
    ],
    [
      { 'spec.securityContext': { sysctls: [{ name: 'Kernel.x', value: '1' }] } },
      ['spec.securityContext.sysctls[0].name'],
    ],
    [{ 'spec.securityContext': { runAsUser: -1 } }, ['spec.securityContext.runAsUser']],
    [{ 'spec.securityContext': { runAsGroup: -1 } }, ['spec.securityContext.runAsGroup']],
    [{ 'spec.securityContext': { fsGroup: -1 } }, ['spec.securityContext.fsGroup']],
    [{ 'spec.securityContext': { supplementalGroups: [-1] } }, ['spec.securityContext.supplementalGroups[0]']],
    [{ 'spec.securityContext': { fsGroupChangePolicy: 'Odd' } }, ['spec.securityContext.fsGroupChangePolicy']],
    [{ 'spec.securityContext': { seccompProfile: { type: 'Odd' } } }, ['spec.securityContext.seccompProfile.type']],
    [{ 'spec.securityContext': { seccompProfile: { type: '' } } }, ['spec.securityContext.seccompProfile.type']],
    [{ 'spec.initContainers': [{ name: 'm', image: 'x' }] }, ['spec.initContainers[0].name']],
    [{ 'spec.initContainers': [{ name: 'i', image: '' }] }, ['spec.initContainers[0].image']],
    [
      { 'spec.initContainers': [{ name: 'i', image: 'x', livenessProbe: { tcpSocket: { port: 1 } } }] },
      ['spec.initContainers[0].livenessProbe'],
    ],
    [
      { 'spec.initContainers': [{ name: 'i', image: 'x', readinessProbe: { tcpSocket: { port: 1 } } }] },
      ['spec.initContainers[0].readinessProbe'],
    ],
    [
      { 'spec.initContainers': [{ name: 'i', image: 'x', lifecycle: { preStop: { exec: { command: ['x'] } } } }] },
      ['spec.initContainers[0].lifecycle'],
    ],
    [
      { 'spec.initContainers': [{ name: 'i', image: 'x', startupProbe: { tcpSocket: { port: 1 } } }] },
      ['spec.initContainers[0].startupProbe'],
    ],
    [{ 'metadata.name': 'A' }, ['metadata.name']],
    [
      { 'spec.hostNetwork': true, 'spec.containers[0].ports': [{ containerPort: 80, hostPort: 81 }] },
      ['spec.containers[0].ports[0].containerPort'],
    ],
    [{ 'spec.volumes': [{ name: 'v', hostPath: { path: '' } }] }, ['spec.volumes[0].hostPath.path']],
    [{ 'spec.volumes': [{ name: 'v', hostPath: { path: '/a/../b' } }] }, ['spec.volumes[0].hostPath.path']],
    [{ 'spec.volumes': [{ name: 'v', hostPath: { path: '/a', type: 'Odd' } }] }, ['spec.volumes[0].hostPath.type']],
    [{ 'spec.volumes': [{ name: 'v', emptyDir: { sizeLimit: '-1' } }] }, ['spec.volumes[0].emptyDir.sizeLimit']],
    [{ 'spec.volumes': [{ name: 'v', secret: {} }] }, ['spec.volumes[0].secret.secretName']],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', defaultMode: -1 } }] },
      ['spec.volumes[0].secret.defaultMode'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', defaultMode: 1000 } }] },
      ['spec.volumes[0].secret.defaultMode'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', items: [{ key: '', path: 'a' }] } }] },
      ['spec.volumes[0].secret.items[0].key'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', items: [{ key: 'a', path: '' }] } }] },
      ['spec.volumes[0].secret.items[0].path'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', items: [{ key: 'a', path: '/b' }] } }] },
      ['spec.volumes[0].secret.items[0].path'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', items: [{ key: 'a', path: '../b' }] } }] },
      ['spec.volumes[0].secret.items[0].path'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', secret: { secretName: 's', items: [{ key: 'a', path: 'b', mode: 1000 }] } }] },
      ['spec.volumes[0].secret.items[0].mode'],
    ],
    [{ 'spec.volumes': [{ name: 'v', configMap: {} }] }, ['spec.volumes[0].configMap.name']],
    [
      { 'spec.volumes': [{ name: 'v', configMap: { name: 'c', defaultMode: -1 } }] },
      ['spec.volumes[0].configMap.defaultMode'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', configMap: { name: 'c', items: [{ key: 'a', path: '..' }] } }] },
      ['spec.volumes[0].configMap.items[0].path'],
    ],
    [
      {
        'spec.volumes': [
          { name: 'v', downwardAPI: { items: [{ path: '', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    ],
    [{ 'spec.volumes': [{ name: 'v', downwardAPI: { items: [{ path: 'a' }] } }] }],
    [
      {
        'spec.volumes': [
          { name: 'v', downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } }] } },
        ],
      },
    ],
    [
      {
        'spec.volumes': [
          {
            name: 'v',
            downwardAPI: {
              items: [
                {
                  path: 'a',
                  fieldRef: { fieldPath: 'metadata.name' },
                  resourceFieldRef: { containerName: 'm', resource: 'limits.cpu' },
                },
              ],
            },
          },
        ],
      },
    ],
    [
      {
        'spec.volumes': [
          { name: 'v', downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
        ],
      },
    ],
    [
      { 'spec.volumes': [{ name: 'v', downwardAPI: { defaultMode: 1000 } }] },
      ['spec.volumes[0].downwardAPI.defaultMode'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', persistentVolumeClaim: { claimName: '' } }] },
      ['spec.volumes[0].persistentVolumeClaim.claimName'],
    ],
    [{ 'spec.volumes': [{ name: 'v', nfs: { server: '', path: '/a' } }] }, ['spec.volumes[0].nfs.server']],
    [{ 'spec.volumes': [{ name: 'v', nfs: { server: 's', path: 'a' } }] }, ['spec.volumes[0].nfs.path']],
    [
      { 'spec.volumes': [{ name: 'v', iscsi: { targetPortal: '', iqn: 'iqn.2001-04.com.example:s', lun: 0 } }] },
      ['spec.volumes[0].iscsi.targetPortal'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', iscsi: { targetPortal: 'a', iqn: 'x', lun: 0 } }] },
      ['spec.volumes[0].iscsi.iqn'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:s', lun: 256 } }] },
      ['spec.volumes[0].iscsi.lun'],
    ],
    [
      {
        'spec.volumes': [
          { name: 'v', iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:s', lun: 0, chapAuthSession: true } },
        ],
      },
      ['spec.volumes[0].iscsi.secretRef'],
    ],
    [{ 'spec.volumes': [{ name: 'v', rbd: { monitors: [], image: 'i' } }] }, ['spec.volumes[0].rbd.monitors']],
    [{ 'spec.volumes': [{ name: 'v', rbd: { monitors: ['a'], image: '' } }] }, ['spec.volumes[0].rbd.image']],
    [{ 'spec.volumes': [{ name: 'v', cephfs: { monitors: [] } }] }, ['spec.volumes[0].cephfs.monitors']],
    [
      { 'spec.volumes': [{ name: 'v', glusterfs: { endpoints: '', path: 'a' } }] },
      ['spec.volumes[0].glusterfs.endpoints'],
    ],
    [{ 'spec.volumes': [{ name: 'v', glusterfs: { endpoints: 'e', path: '' } }] }, ['spec.volumes[0].glusterfs.path']],
    [{ 'spec.volumes': [{ name: 'v', gcePersistentDisk: { pdName: '' } }] }],
    [{ 'spec.volumes': [{ name: 'v', gcePersistentDisk: { pdName: 'a', partition: 256 } }] }],
    [
      { 'spec.volumes': [{ name: 'v', awsElasticBlockStore: { volumeID: '' } }] },
      ['spec.volumes[0].awsElasticBlockStore.volumeID'],
    ],
    [{ 'spec.volumes': [{ name: 'v', gitRepo: { repository: '' } }] }, ['spec.volumes[0].gitRepo.repository']],
    [
      { 'spec.volumes': [{ name: 'v', gitRepo: { repository: 'a', directory: '..' } }] },
      ['spec.volumes[0].gitRepo.directory'],
    ],
    [{ 'spec.volumes': [{ name: 'v', fc: {} }] }, ['spec.volumes[0].fc.targetWWNs']],
    [{ 'spec.volumes': [{ name: 'v', fc: { targetWWNs: ['a'], lun: 256 } }] }, ['spec.volumes[0].fc.lun']],
    [{ 'spec.volumes': [{ name: 'v', flocker: {} }] }, ['spec.volumes[0].flocker']],
    [{ 'spec.volumes': [{ name: 'v', flocker: { datasetName: 'a/b' } }] }, ['spec.volumes[0].flocker.datasetName']],
    [
      { 'spec.volumes': [{ name: 'v', azureFile: { secretName: '', shareName: 'a' } }] },
      ['spec.volumes[0].azureFile.secretName'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', azureDisk: { diskName: '', diskURI: 'x' } }] },
      ['spec.volumes[0].azureDisk.diskName', 'spec.volumes[0].azureDisk.diskURI'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', azureDisk: { diskName: 'a', diskURI: 'x', kind: 'Managed' } }] },
      ['spec.volumes[0].azureDisk.diskURI'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', azureDisk: { diskName: 'a', diskURI: 'https://x', kind: 'Odd' } }] },
      ['spec.volumes[0].azureDisk.kind'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', azureDisk: { diskName: 'a', diskURI: 'https://x', cachingMode: 'Odd' } }] },
      ['spec.volumes[0].azureDisk.cachingMode'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', vsphereVolume: { volumePath: '' } }] },
      ['spec.volumes[0].vsphereVolume.volumePath'],
    ],
    [{ 'spec.volumes': [{ name: 'v', quobyte: { registry: '', volume: 'a' } }] }, ['spec.volumes[0].quobyte.registry']],
    [
      { 'spec.volumes': [{ name: 'v', quobyte: { registry: 'a', volume: 'a' } }] },
      ['spec.volumes[0].quobyte.registry'],
    ],
    [{ 'spec.volumes': [{ name: 'v', cinder: { volumeID: '' } }] }, ['spec.volumes[0].cinder.volumeID']],
    [
      { 'spec.volumes': [{ name: 'v', portworxVolume: { volumeID: '' } }] },
      ['spec.volumes[0].portworxVolume.volumeID'],
    ],
    [
      {
        'spec.volumes': [
          { name: 'v', scaleIO: { gateway: '', system: 's', volumeName: 'v', secretRef: { name: 'a' } } },
        ],
      },
      ['spec.volumes[0].scaleIO.gateway'],
    ],
    [{ 'spec.volumes': [{ name: 'v', storageos: { volumeName: '' } }] }, ['spec.volumes[0].storageos.volumeName']],
    [{ 'spec.volumes': [{ name: 'v', flexVolume: { driver: '' } }] }, ['spec.volumes[0].flexVolume.driver']],
    [{ 'spec.volumes': [{ name: 'v', csi: { driver: '' } }] }, ['spec.volumes[0].csi.driver']],
    [{ 'spec.volumes': [{ name: 'v', csi: { driver: 'A_' } }] }, ['spec.volumes[0].csi.driver']],
    [{ 'spec.volumes': [{ name: 'v', csi: { driver: 'd', nodePublishSecretRef: { name: '' } } }] }],
    [
      { 'spec.volumes': [{ name: 'v', photonPersistentDisk: { pdID: '' } }] },
      ['spec.volumes[0].photonPersistentDisk.pdID'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', projected: { defaultMode: 1000, sources: [{ secret: { name: 'a' } }] } }] },
      ['spec.volumes[0].projected.defaultMode'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', projected: { sources: [{ secret: {} }] } }] },
      ['spec.volumes[0].projected.sources[0].secret.name'],
    ],
    [
      { 'spec.volumes': [{ name: 'v', projected: { sources: [{ configMap: { name: '' } }] } }] },
      ['spec.volumes[0].projected.sources[0].configMap.name'],
    ],
    [
      {
        'spec.volumes': [{ name: 'v', projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'b' } }] } }],
      },
      ['spec.volumes[0].projected.sources[0]'],
    ],
    [
      {
        'spec.volumes': [
          {
            name: 'v',
            projected: {
              sources: [
                { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
                { configMap: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
              ],
            },
          },
        ],
      },
      ['spec.volumes[0].projected'],
    ],
    [{ 'spec.volumes': [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: '' } }] } }] }],
    [
      {
        'spec.volumes': [
          { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 5 } }] } },
        ],
      },
      [
        'spec.volumes[0].projected.sources[0].serviceAccountToken',
        'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds',
      ],
    ],
    [{ 'spec.volumes': [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: '..' } }] } }] }],
    [{ 'spec.volumes': [{ name: 'v', emptyDir: {}, hostPath: { path: '/a' } }] }],
    [{ 'spec.volumes': [{ name: 'v', ephemeral: {} }] }],
    [{ 'spec.volumes': [{ name: '' }] }, ['spec.volumes[0].name']],
    [{ 'spec.volumes': [{ name: 'A' }] }, ['spec.volumes[0].name']],
    [{ 'spec.volumes': [{ name: 'v' }, { name: 'v' }] }, ['spec.volumes[1].name']],
  ],
  '/api/v1/namespaces/default/services': [
    [{ 'spec.clusterIP': 'x' }, ['spec.clusterIPs[0]']],
    [{ 'spec.type': 'NodePort', 'spec.clusterIP': 'None' }, ['spec.clusterIPs[0]']],
    [{ 'spec.type': 'LoadBalancer', 'spec.clusterIP': 'None' }, ['spec.clusterIPs[0]']],
    [{ 'spec.type': 'ExternalName', 'spec.externalName': 'a.b', 'spec.clusterIP': '10.0.0.5' }, ['spec.clusterIPs']],
    [{ 'spec.type': 'ExternalName', 'spec.externalName': 'a.b', 'spec.clusterIP': 'None' }, ['spec.clusterIPs']],
    [{ 'spec.ports': [{ port: 80, appProtocol: '' }] }, ['spec.ports[0].appProtocol']],
    [{ 'spec.type': 'Odd', 'spec.externalTrafficPolicy': 'Cluster' }, ['spec.type']],
    [{ 'spec.ports': [] }, ['spec.ports']],
    [{ 'spec.ports': [{ port: 0 }] }, ['spec.ports[0].port', 'spec.ports[0].targetPort']],
    [{ 'spec.ports': [{ port: 80, protocol: 'X' }] }, ['spec.ports[0].protocol']],
    [{ 'spec.ports': [{ port: 80, targetPort: 70000 }] }, ['spec.ports[0].targetPort']],
    [{ 'spec.ports': [{ port: 80, targetPort: 'A_' }] }, ['spec.ports[0].targetPort']],
    [{ 'spec.ports': [{ port: 80 }, { port: 81 }] }, ['spec.ports[0].name', 'spec.ports[1].name']],
    [
      {
        'spec.ports': [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      },
      ['spec.ports[1].name'],
    ],
    [
      {
        'spec.ports': [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      },
      ['spec.ports[1]'],
    ],
    [{ 'spec.ports': [{ name: 'A_', port: 80 }] }, ['spec.ports[0].name']],
    [{ 'spec.ports': [{ port: 80, nodePort: 30000 }] }, ['spec.ports[0].nodePort']],
    [
      { 'spec.ports': [{ port: 80, nodePort: 30000 }], 'spec.type': 'NodePort', 'spec.clusterIP': 'None' },
      ['spec.clusterIPs[0]'],
    ],
    [{ 'spec.type': 'NodePort', 'spec.ports': [{ port: 80, nodePort: 5 }] }, ['spec.ports[0].nodePort']],
    [{ 'spec.type': 'Odd' }, ['spec.type']],
    [{ 'spec.type': 'ExternalName' }, ['spec.externalName']],
    [{ 'spec.type': 'ExternalName', 'spec.externalName': 'a_b' }, ['spec.externalName']],
    [{ 'spec.type': 'ExternalName', 'spec.externalName': 'a.com', 'spec.clusterIP': '10.0.0.5' }],
    [{ 'spec.type': 'LoadBalancer', 'spec.clusterIP': 'None' }],
    [{ 'spec.clusterIP': 'x' }],
    [{ 'spec.clusterIP': '1.2.3.4' }],
    [{ 'spec.clusterIPs': ['x'] }, ['spec.clusterIPs', 'spec.clusterIPs[0]']],
    [{ 'spec.clusterIPs': ['10.0.0.9'] }, ['spec.clusterIPs']],
    [{ 'spec.clusterIP': 'None', 'spec.clusterIPs': ['10.0.0.9'] }, ['spec.clusterIPs']],
    [{ 'spec.sessionAffinity': 'Odd' }, ['spec.sessionAffinity']],
    [
      { 'spec.sessionAffinity': 'ClientIP', 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 0 } } },
      ['spec.sessionAffinityConfig.clientIP.timeoutSeconds'],
    ],
    [
      { 'spec.sessionAffinity': 'ClientIP', 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 86401 } } },
      ['spec.sessionAffinityConfig.clientIP.timeoutSeconds'],
    ],
    [{ 'spec.externalIPs': ['x'] }, ['spec.externalIPs[0]']],
    [{ 'spec.externalIPs': ['127.0.0.1'] }, ['spec.externalIPs[0]']],
    [{ 'spec.externalIPs': ['0.0.0.0'] }, ['spec.externalIPs[0]']],
    [{ 'spec.externalIPs': ['169.254.1.1'] }, ['spec.externalIPs[0]']],
    [{ 'spec.externalIPs': ['224.0.0.1'] }, ['spec.externalIPs[0]']],
    [{ 'spec.externalTrafficPolicy': 'Local' }, ['spec.externalTrafficPolicy']],
    [{ 'spec.type': 'NodePort', 'spec.externalTrafficPolicy': 'Odd' }, ['spec.externalTrafficPolicy']],
    [
      { 'spec.type': 'LoadBalancer', 'spec.externalTrafficPolicy': 'Local', 'spec.healthCheckNodePort': -1 },
      ['spec.healthCheckNodePort'],
    ],
    [{ 'spec.healthCheckNodePort': 30000 }, ['spec.healthCheckNodePort']],
    [{ 'spec.type': 'LoadBalancer', 'spec.loadBalancerSourceRanges': ['x'] }, ['spec.LoadBalancerSourceRanges']],
    [{ 'spec.loadBalancerSourceRanges': ['10.0.0.0/8'] }, ['spec.LoadBalancerSourceRanges']],
    [{ 'spec.selector': { 'a b': 'c' } }, ['spec.selector']],
    [{ 'spec.ports': [{ port: 80, appProtocol: 'a b' }] }, ['spec.ports[0].appProtocol']],
    [{ 'metadata.name': '1a' }, ['metadata.name']],
    [{ 'metadata.name': 'a.b' }, ['metadata.name']],
  ],
  '/api/v1/namespaces/default/endpoints': [
    [
      { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80, appProtocol: 'A_b!' }] }] },
      ['subsets[0].ports[0].appProtocol'],
    ],
    [{ subsets: [{}] }, ['subsets[0]']],
    [{ subsets: [{ addresses: [{ ip: 'x' }], ports: [{ port: 80 }] }] }, ['subsets[0].addresses[0].ip']],
    [{ subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 80 }] }] }, ['subsets[0].addresses[0].ip']],
    [{ subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 0 }] }] }, ['subsets[0].ports[0].port']],
    [
      { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }, { port: 81 }] }] },
      ['subsets[0].ports[0].name', 'subsets[0].ports[1].name'],
    ],
    [
      { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ name: 'A_', port: 80 }] }] },
      ['subsets[0].ports[0].name'],
    ],
    [
      { subsets: [{ addresses: [{ ip: '1.2.3.4', hostname: 'A_' }], ports: [{ port: 80 }] }] },
      ['subsets[0].addresses[0].hostname'],
    ],
    [
      { subsets: [{ addresses: [{ ip: '1.2.3.4', nodeName: 'A_' }], ports: [{ port: 80 }] }] },
      ['subsets[0].addresses[0].nodeName'],
    ],
    [
      { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80, protocol: 'X' }] }] },
      ['subsets[0].ports[0].protocol'],
    ],
    [{ subsets: [{ addresses: [{ ip: '169.254.0.1' }] }] }, ['subsets[0].addresses[0].ip']],
  ],
  '/api/v1/namespaces/default/configmaps': [
    [{ data: { 'a b': 'c' } }, ['data[a b]']],
    [{ binaryData: { 'a b': 'YQ==' } }, ['binaryData[a b]']],
    [{ data: { a: 'b' }, binaryData: { a: 'YQ==' } }, ['data[a]']],
    [{ data: { '..': 'a' } }, ['data[..]']],
    [
      {
        data: {
          aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:
            'x',
        },
      },
      [
        'data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]',
      ],
    ],
    [{ data: { '': 'x' } }, ['data[]']],
  ],
  '/api/v1/namespaces/default/secrets': [
    [{ data: { 'a b': 'YQ==' } }, ['data[a b]']],
    [{ type: 'kubernetes.io/tls' }, ['data[tls.crt]', 'data[tls.key]']],
    [{ type: 'kubernetes.io/dockerconfigjson' }, ['data[.dockerconfigjson]']],
    [{ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } }, ['data[.dockerconfigjson]']],
    [{ type: 'kubernetes.io/dockercfg' }, ['data[.dockercfg]']],
    [{ type: 'kubernetes.io/basic-auth' }],
    [{ type: 'kubernetes.io/ssh-auth' }],
    [{ type: 'kubernetes.io/service-account-token' }, ['metadata.annotations[kubernetes.io/service-account.name]']],
  ],
  '/api/v1/namespaces/default/serviceaccounts': [[{ 'metadata.name': 'A_' }, ['metadata.name']]],
  '/api/v1/namespaces/default/persistentvolumeclaims': [
    [{ 'spec.volumeMode': '' }, ['spec.volumeMode']],
    [{ 'spec.accessModes': [] }, ['spec.accessModes']],
    [{ 'spec.accessModes': ['Odd'] }, ['spec.accessModes']],
    [{ 'spec.resources': {} }, ['spec.resources[storage]']],
    [{ 'spec.resources': { requests: { storage: '0' } } }, ['spec.resources[storage]']],
    [{ 'spec.resources': { requests: { storage: '-1' } } }, ['spec.resources[storage]']],
    [{ 'spec.storageClassName': 'A_' }, ['spec.storageClassName']],
    [{ 'spec.volumeMode': 'Odd' }, ['spec.volumeMode']],
    [
      { 'spec.selector': { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      ['spec.selector.matchExpressions[0].values'],
    ],
    [{ 'spec.dataSource': { kind: 'PersistentVolumeClaim', name: '' } }, ['spec.dataSource.name']],
  ],
  '/api/v1/persistentvolumes': [
    [{ 'spec.volumeMode': '' }, ['spec.volumeMode']],
    [{ 'spec.accessModes': [] }, ['spec.accessModes']],
    [{ 'spec.accessModes': ['Odd'] }, ['spec.accessModes']],
    [{ 'spec.capacity': {} }, ['spec.capacity']],
    [{ 'spec.capacity': { storage: '0' } }, ['spec.capacity[storage]']],
    [{ 'spec.capacity': { storage: '1Gi', cpu: '1' } }, ['spec.capacity']],
    [{ 'spec.hostPath': undefined }, ['spec']],
    [{ 'spec.nfs': { server: 's', path: '/a' } }, ['spec.nfs']],
    [{ 'spec.persistentVolumeReclaimPolicy': 'Odd' }, ['spec.persistentVolumeReclaimPolicy']],
    [
      { 'spec.persistentVolumeReclaimPolicy': 'Recycle', 'spec.hostPath': { path: '/' } },
      ['spec.persistentVolumeReclaimPolicy'],
    ],
    [{ 'spec.storageClassName': 'A_' }, ['spec.storageClassName']],
    [{ 'spec.volumeMode': 'Odd' }, ['spec.volumeMode']],
    [{ 'spec.nodeAffinity': {} }, ['spec.nodeAffinity.required']],
    [
      { 'spec.nodeAffinity': { required: { nodeSelectorTerms: [] } } },
      ['spec.nodeAffinity.required.nodeSelectorTerms'],
    ],
    [{ 'spec.hostPath': { path: '' } }, ['spec.hostPath.path']],
    [{ 'spec.hostPath': { path: '/a/..' } }, ['spec.hostPath.path']],
    [{ 'spec.hostPath': undefined, 'spec.local': { path: '' } }, ['spec.local.path', 'spec.nodeAffinity']],
    [{ 'spec.hostPath': undefined, 'spec.local': { path: '/a' } }, ['spec.nodeAffinity']],
    [{ 'spec.hostPath': undefined, 'spec.csi': { driver: 'd', volumeHandle: '' } }, ['spec.csi.volumeHandle']],
    [{ 'spec.hostPath': undefined, 'spec.csi': { driver: '', volumeHandle: 'v' } }, ['spec.csi.driver']],
    [{ 'spec.hostPath': undefined, 'spec.rbd': { monitors: [], image: 'i' } }, ['spec.rbd.monitors']],
    [
      { 'spec.hostPath': undefined, 'spec.glusterfs': { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
      ['spec.glusterfs.endpointsNamespace'],
    ],
    [
      { 'spec.hostPath': undefined, 'spec.azureFile': { secretName: 'a', shareName: 'b', secretNamespace: '' } },
      ['spec.azureFile.secretNamespace'],
    ],
    [{ 'spec.hostPath': undefined, 'spec.storageos': { volumeNamespace: 'a' } }, ['spec.storageos.volumeName']],
    [{ 'spec.hostPath': undefined, 'spec.flexVolume': { driver: '' } }, ['spec.flexVolume.driver']],
    [{ 'spec.hostPath': undefined, 'spec.fc': {} }, ['spec.fc.targetWWNs']],
  ],
  '/api/v1/namespaces/default/limitranges': [
    [{ 'spec.limits': [{ type: '' }] }, ['spec.limits[0].type']],
    [{ 'spec.limits': [{ type: 'Odd' }] }, ['spec.limits[0].type']],
    [{ 'spec.limits': [{ type: 'Container' }, { type: 'Container' }] }, ['spec.limits[1].type']],
    [{ 'spec.limits': [{ type: 'Pod', default: { cpu: '1' } }] }, ['spec.limits[0].default']],
    [{ 'spec.limits': [{ type: 'Pod', defaultRequest: { cpu: '1' } }] }, ['spec.limits[0].defaultRequest']],
    [
      { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] },
      ['spec.limits[0].defaultRequest[cpu]', 'spec.limits[0].default[cpu]', 'spec.limits[0].min[cpu]'],
    ],
    [
      { 'spec.limits': [{ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }] },
      ['spec.limits[0].defaultRequest[cpu]', 'spec.limits[0].default[cpu]'],
    ],
    [
      { 'spec.limits': [{ type: 'Container', max: { odd: '1' } }] },
      ['spec.limits[0].defaultRequest[odd]', 'spec.limits[0].default[odd]', 'spec.limits[0].max[odd]'],
    ],
    [
      { 'spec.limits': [{ type: 'Container', max: { 'a b/c': '1' } }] },
      ['spec.limits[0].defaultRequest[a b/c]', 'spec.limits[0].default[a b/c]', 'spec.limits[0].max[a b/c]'],
    ],
    [{ 'spec.limits': [{ type: 'PersistentVolumeClaim' }] }, ['spec.limits[0].limits']],
    [
      { 'spec.limits': [{ type: 'Container', maxLimitRequestRatio: { cpu: '0.5' } }] },
      ['spec.limits[0].maxLimitRequestRatio[cpu]'],
    ],
    [
      {
        'spec.limits': [
          { type: 'Container', max: { cpu: '4' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '5' } },
        ],
      },
      ['spec.limits[0].maxLimitRequestRatio[cpu]'],
    ],
    [
      { 'spec.limits': [{ type: 'PersistentVolumeClaim', max: { storage: '1' }, min: { storage: '2' } }] },
      ['spec.limits[0].min[storage]'],
    ],
    [{ 'spec.limits': [{ type: 'a b' }] }, ['spec.limits[0].type']],
  ],
  '/api/v1/namespaces/default/resourcequotas': [
    [{ 'spec.hard': { odd: '1' } }, ['spec.hard[odd]']],
    [{ 'spec.hard': { 'a b/c': '1' } }, ['spec.hard[a b/c]']],
    [{ 'spec.hard': { pods: '-1' } }, ['spec.hard[pods]']],
    [{ 'spec.hard': { pods: '1.5' } }, ['spec.hard[pods]']],
    [{ 'spec.hard': { cpu: '-1' } }, ['spec.hard[cpu]']],
    [{ 'spec.hard': { 'count/pods': '1.5' } }, ['spec.hard[count/pods]']],
    [{ 'spec.hard': { 'count/x': '-1' } }, ['spec.hard[count/x]']],
    [{ spec: { scopes: ['Odd'] } }, ['spec.scopes']],
    [{ spec: { scopes: ['BestEffort'], hard: { cpu: '1' } } }, ['spec.scopes']],
    [{ spec: { scopes: ['BestEffort', 'NotBestEffort'] } }, ['spec.scopes']],
    [{ spec: { scopes: ['Terminating', 'NotTerminating'] } }, ['spec.scopes']],
    [{ spec: { scopes: ['Terminating'], hard: { services: '1' } } }, ['spec.scopes']],
    [{ spec: { scopes: ['NotBestEffort'], hard: { cpu: '1', services: '1' } } }, ['spec.scopes']],
    [{ spec: { scopes: ['NotTerminating'], hard: { 'hugepages-2Mi': '1' } } }, ['spec.scopes']],
    [{ spec: { scopes: ['NotTerminating'], hard: { 'ephemeral-storage': '1' } } }, ['spec.scopes']],
    [
      { spec: { scopes: ['NotTerminating'], hard: { odd: '1', 'a.example.com/b': '1', 'count/pods': '1' } } },
      ['spec.hard[odd]'],
    ],
    [
      { spec: { hard: { services: '1' }, scopeSelector: { matchExpressions: [scope('PriorityClass')] } } },
      ['spec.scopeSelector.matchExpressions'],
    ],
    [
      { spec: { hard: { pods: '1', cpu: '1' }, scopeSelector: { matchExpressions: [scope('BestEffort')] } } },
      ['spec.scopeSelector.matchExpressions'],
    ],
    [
      { spec: { scopeSelector: { matchExpressions: [scope('BestEffort'), scope('NotBestEffort')] } } },
      ['spec.scopeSelector.matchExpressions'],
    ],
    [{ spec: { scopeSelector: { matchExpressions: [{ scopeName: 'Odd', operator: 'Exists' }] } } }],
    [{ spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Odd' }] } } }],
    [{ spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } } }],
    [{ spec: { scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'In', values: ['a'] }] } } }],
    [
      {
        spec: {
          scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }] },
        },
      },
    ],
    [{ 'spec.hard': { 'services.nodeports': '1.5' } }, ['spec.hard[services.nodeports]']],
  ],
  '/api/v1/namespaces/default/replicationcontrollers': [
    [{ 'spec.replicas': -1 }, ['spec.replicas']],
    [{ 'spec.minReadySeconds': -1 }, ['spec.minReadySeconds']],
    [{ 'spec.template': undefined }, ['spec.selector', 'spec.template']],
    [{ 'spec.selector': { a: 'b' } }, ['spec.template.metadata.labels']],
    [{ 'spec.template.spec.restartPolicy': 'Never' }, ['spec.template.spec.restartPolicy']],
    [{ 'spec.template.spec.activeDeadlineSeconds': 5 }, ['spec.template.spec.activeDeadlineSeconds']],
    [{ 'spec.selector': { 'a b': 'c' } }, ['spec.template.metadata.labels']],
  ],
  '/api/v1/namespaces/default/podtemplates': [
    [{ 'template.spec.containers': [] }, ['template.spec.containers']],
    [{ 'template.metadata': { labels: { 'a b': 'c' } } }, ['template.labels']],
    [{ 'template.spec.containers[0].image': '' }, ['template.spec.containers[0].image']],
    [{ 'template.metadata': { annotations: { 'a b': 'c' } } }, ['template.annotations']],
  ],
  '/api/v1/namespaces/default/events': [
    [{ 'involvedObject.namespace': 'x' }, ['involvedObject.namespace']],
    [{ 'metadata.name': 'a/b' }, ['metadata.name']],
  ],
  '/api/v1/namespaces': [
    [{ 'metadata.name': 'A' }, ['metadata.name']],
    [{ 'metadata.name': 'a.b' }, ['metadata.name']],
    [{ spec: { finalizers: ['a'] } }],
    [{ 'metadata.labels': { 'a b': 'c' } }, ['metadata.labels']],
    [{ 'metadata.labels': { a: 'b c' } }, ['metadata.labels']],
    [{ 'metadata.annotations': { 'a b': 'c' } }, ['metadata.annotations']],
    [
      { 'metadata.ownerReferences': [{ apiVersion: '', kind: 'K', name: 'n', uid: 'u' }] },
      ['metadata.ownerReferences.apiVersion'],
    ],
    [
      { 'metadata.ownerReferences': [{ apiVersion: 'v1', kind: '', name: 'n', uid: 'u' }] },
      ['metadata.ownerReferences.kind'],
    ],
    [
      { 'metadata.ownerReferences': [{ apiVersion: 'v1', kind: 'Event', name: 'n', uid: 'u' }] },
      ['metadata.ownerReferences'],
    ],
    [
      {
        'metadata.ownerReferences': [
          { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', controller: true },
          { apiVersion: 'v1', kind: 'K', name: 'm', uid: 'w', controller: true },
        ],
      },
      ['metadata.ownerReferences'],
    ],
    [{ 'metadata.generateName': 'A_' }, ['metadata.generateName']],
    [{ 'metadata.finalizers': ['a'] }, ['metadata.finalizers[0]']],
    [{ 'metadata.name': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }, ['metadata.name']],
    [{ 'metadata.finalizers': ['orphan', 'foregroundDeletion'] }, ['metadata.finalizers']],
    [{ 'metadata.name': '' }, ['metadata.name']],
  ],
  '/api/v1/nodes': [
    [{ 'metadata.name': 'A_' }, ['metadata.name']],
    [{ 'spec.podCIDR': 'x' }, ['spec.podCIDRs[0]']],
    [{ 'spec.taints': [{ key: '', effect: 'NoSchedule' }] }],
    [{ 'spec.taints': [{ key: 'a', effect: 'Odd' }] }],
    [{ 'spec.taints': [{ key: 'a', effect: '' }] }],
    [
      {
        'spec.taints': [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
    ],
    [{ 'spec.taints': [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] }],
    [{ 'status.capacity': { pods: '1.5' } }, ['status.allocatable.pods', 'status.capacity.pods']],
    [{ 'status.capacity': { cpu: '-1' } }, ['status.allocatable.cpu', 'status.capacity.cpu']],
  ],
  '/apis/apiregistration.k8s.io/v1/apiservices': [
    [{ 'metadata.name': 'odd' }, ['metadata.name']],
    [
      { 'spec.groupPriorityMinimum': 0, 'spec.versionPriority': 0 },
      ['spec.groupPriorityMinimum', 'spec.versionPriority'],
    ],
    [
      { 'spec.groupPriorityMinimum': 30000, 'spec.versionPriority': 2000 },
      ['spec.groupPriorityMinimum', 'spec.versionPriority'],
    ],
    [{ 'spec.insecureSkipTLSVerify': true }, ['spec.insecureSkipTLSVerify']],
    [{ 'spec.service': {} }, ['spec.service.name', 'spec.service.namespace']],
    [{ 'spec.service': { namespace: 'default', name: 's', port: 0 } }, ['spec.service.port']],
    [
      {
        'spec.service': { namespace: 'default', name: 's' },
        'spec.insecureSkipTLSVerify': true,
        'spec.caBundle': 'YQ==',
      },
      ['spec.insecureSkipTLSVerify'],
    ],
    [{ 'metadata.name': 'V_.X_', 'spec.group': 'X_', 'spec.version': 'V_' }, ['spec.group', 'spec.version']],
    [{ 'metadata.name': 'v2.', 'spec.group': '', 'spec.version': 'v2' }, ['spec.group']],
  ],
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas': [
    [{ spec: {} }, ['spec.priorityLevelConfiguration.name']],
    [
      { 'spec.priorityLevelConfiguration.name': 'A_', 'spec.matchingPrecedence': 20000 },
      ['spec.matchingPrecedence', 'spec.priorityLevelConfiguration.name'],
    ],
    [{ 'spec.matchingPrecedence': 1 }, ['spec.matchingPrecedence']],
    [{ 'spec.matchingPrecedence': -1 }, ['spec.matchingPrecedence']],
    [{ 'spec.distinguisherMethod': { type: 'Odd' } }, ['spec.distinguisherMethod.type']],
    [{ 'spec.rules': [{ subjects: [] }] }, ['spec.rules[0]', 'spec.rules[0].subjects']],
    ...[
      [{ kind: 'Odd' }, 'kind'],
      [{ kind: 'User' }, 'user'],
      [{ kind: 'User', user: { name: '' } }, 'user.name'],
      [{ kind: 'User', user: { name: 'a' }, group: { name: 'b' } }, 'group'],
      [{ kind: 'Group', group: { name: '' } }, 'group.name'],
      [{ kind: 'ServiceAccount' }, 'serviceAccount'],
      [{ kind: 'ServiceAccount', serviceAccount: { name: 'A_', namespace: 'a' } }, 'serviceAccount.name'],
      [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: '' } }, 'serviceAccount.namespace'],
    ].map(
      ([subject, field]): Refusal => [
        { 'spec.rules': [{ subjects: [subject], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }] },
        [`spec.rules[0].subjects[0].${field}`],
      ],
    ),
    ...[
      [{}, 'verbs', 'apiGroups', 'resources', 'namespaces'],
      [{ verbs: ['odd'], apiGroups: ['a'], resources: ['a'], namespaces: ['a'] }, 'verbs'],
      [{ verbs: ['*', 'get'], apiGroups: ['*', 'a'], resources: ['a'], namespaces: ['a'] }, 'verbs', 'apiGroups'],
      [{ verbs: ['get'], apiGroups: ['a'], resources: ['*', 'a'], namespaces: ['*', 'a'] }, 'resources', 'namespaces'],
      [{ verbs: ['get'], apiGroups: ['a'], resources: ['a'], namespaces: ['A_'] }, 'namespaces[0]'],
      [{ verbs: ['get'], apiGroups: ['a'], resources: ['a'] }, 'namespaces'],
    ].map(
      ([rule, ...fields]): Refusal => [
        { 'spec.rules': [{ subjects: [{ kind: 'User', user: { name: 'u' } }], resourceRules: [rule] }] },
        fields.map((field) => `spec.rules[0].resourceRules[0].${field}`),
      ],
    ),
    ...[
      [{}, 'verbs', 'nonResourceURLs'],
      [{ verbs: ['get'], nonResourceURLs: ['*', '/a'] }, 'nonResourceURLs'],
      [
        { verbs: ['get'], nonResourceURLs: ['a', '/a b', '/a/*b', '/a//b', '/', '/a/*', ''] },
        ...[0, 1, 2, 3, 6].map((index) => `nonResourceURLs[${index}]`),
      ],
    ].map(
      ([rule, ...fields]): Refusal => [
        { 'spec.rules': [{ subjects: [{ kind: 'User', user: { name: 'u' } }], nonResourceRules: [rule] }] },
        fields.map((field) => `spec.rules[0].nonResourceRules[0].${field}`),
      ],
    ),
  ],
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': [
    [{ spec: {} }, ['spec.type']],
    [{ spec: { type: 'Limited' } }, ['spec.limited']],
    [{ spec: { type: 'Limited', limited: {} } }, ['spec.limited.limitResponse.type']],
    [{ 'spec.limited.limitResponse': { type: 'Queue' } }, ['spec.limited.limitResponse.queuing']],
    [{ 'spec.limited.limitResponse': { type: 'Reject', queuing: {} } }, ['spec.limited.limitResponse.queuing']],
    [{ spec: { type: 'Exempt' } }, ['spec.type']],
    [{ 'spec.type': 'Exempt' }, ['spec.limited', 'spec.type']],
    [{ spec: { type: 'Odd' } }, ['spec.type']],
    ...[
      [{ queues: 2, handSize: 5, queueLengthLimit: 1 }, 'handSize'],
      [{ queues: -1, handSize: -5, queueLengthLimit: -1 }, 'handSize', 'queueLengthLimit', 'queues'],
      [{ queues: 100_000_000, handSize: 50, queueLengthLimit: 1 }, 'handSize', 'queues'],
      [{ queues: 1_000_000, handSize: 4, queueLengthLimit: 1 }, 'handSize'],
    ].map(
      ([queuing, ...fields]): Refusal => [
        { 'spec.limited.limitResponse': { type: 'Queue', queuing } },
        fields.map((field) => `spec.limited.limitResponse.queuing.${field}`),
      ],
    ),
  ],
  '/apis/node.k8s.io/v1/runtimeclasses': [
    [{ handler: '' }, ['handler']],
    [{ handler: 'A_b' }, ['handler']],
    [{ handler: 'a.b' }, ['handler']],
    [{ overhead: { podFixed: { cpu: '-1', odd: '1' } } }, ['overhead.limits[cpu]', 'overhead.limits[odd]']],
    [{ 'scheduling.nodeSelector': { 'a b': 'c d' } }, ['scheduling.nodeSelector']],
    [
      { 'scheduling.tolerations': [{ key: 'k k', operator: 'Odd' }] },
      ['scheduling.tolerations.tolerations[0].key', 'scheduling.tolerations.tolerations[0].operator'],
    ],
    [
      { 'scheduling.tolerations': [{ operator: 'Exists', value: 'x' }] },
      ['scheduling.tolerations.tolerations[0].operator'],
    ],
    [{ 'scheduling.tolerations': [{ key: 'k', effect: 'Odd' }] }],
    [{ 'scheduling.tolerations': [{ key: 'k' }, { key: 'k' }] }, ['scheduling.tolerations[1]']],
  ],
  '/apis/scheduling.k8s.io/v1/priorityclasses': [
    [{ preemptionPolicy: '' }, ['preemptionPolicy']],
    [{ value: 1_000_000_001 }, ['value']],
    [{ preemptionPolicy: 'Odd' }, ['preemptionPolicy']],
    [{ 'metadata.name': 'system-x' }, ['metadata.name']],
    [{ 'metadata.name': 'system-cluster-critical', value: 4 }, ['metadata.name']],
    [{ 'metadata.name': 'A_' }, ['metadata.name']],
  ],
  '/apis/storage.k8s.io/v1/csidrivers': [
    [{ 'spec.fsGroupPolicy': '' }, ['spec.fsGroupPolicy']],
    [{ 'spec.volumeLifecycleModes': ['Odd'] }, ['spec.volumeLifecycleModes']],
    [{ 'spec.fsGroupPolicy': 'Odd' }, ['spec.fsGroupPolicy']],
    [{ 'metadata.name': 'a'.repeat(64) }],
  ],
  '/apis/storage.k8s.io/v1/csinodes': [
    [{ 'spec.drivers': [{ name: '', nodeID: '' }] }, ['spec.drivers[0].name', 'spec.drivers[0].nodeID']],
    [
      { 'spec.drivers': [{ name: 'A_b', nodeID: 'x'.repeat(200) }] },
      ['spec.drivers[0].name', 'spec.drivers[0].nodeID'],
    ],
    [
      {
        'spec.drivers': [
          { name: 'a', nodeID: 'n' },
          { name: 'a', nodeID: 'n' },
        ],
      },
      ['spec.drivers[1].name'],
    ],
    [
      { 'spec.drivers': [{ name: 'a', nodeID: 'n', topologyKeys: ['k', 'k'], allocatable: { count: -1 } }] },
      ['spec.drivers[0]', 'spec.drivers[0].allocatable.count'],
    ],
    [{ 'spec.drivers': [{ name: 'a', nodeID: 'n', topologyKeys: ['', 'k k'] }] }, ['spec.drivers[0]']],
  ],
  '/apis/storage.k8s.io/v1/storageclasses': [
    [{ volumeBindingMode: '' }, ['volumeBindingMode']],
    [{ provisioner: '' }, ['provisioner']],
    [{ provisioner: 'A_b/' }, ['provisioner']],
    [{ reclaimPolicy: 'Recycle' }, ['reclaimPolicy']],
    [{ volumeBindingMode: 'Odd' }, ['volumeBindingMode']],
    [{ parameters: { '': 'x' } }, ['parameters']],
    [{ parameters: Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`p${index}`, 'x'])) }, ['parameters']],
    [{ parameters: { a: 'x'.repeat(300_000) } }, ['parameters']],
    [{ allowedTopologies: [{}] }, ['allowedTopologies[0].matchLabelExpressions']],
    [{ allowedTopologies: [topology('k', 'v'), topology('k', 'v')] }, ['allowedTopologies[1].matchLabelExpressions']],
    [{ allowedTopologies: [topology('k')] }, ['allowedTopologies[0].matchLabelExpressions[0].values']],
    [{ allowedTopologies: [topology('k', 'v', 'v')] }, ['allowedTopologies[0].matchLabelExpressions[0].values[1]']],
    [{ allowedTopologies: [topology('k k', 'v')] }, ['allowedTopologies[0].matchLabelExpressions[0].key']],
  ],
  '/apis/storage.k8s.io/v1/volumeattachments': [
    [
      { 'spec.source': { inlineVolumeSpec: inline({ accessModes: ['Odd'] }) } },
      ['spec.source.inlineVolumeSpec.accessModes'],
    ],
    [
      { 'spec.source': { inlineVolumeSpec: inline({ hostPath: { path: '/x' } }) } },
      ['spec.source.inlineVolumeSpec.csi'],
    ],
    [{ spec: {} }, ['spec.attacher', 'spec.nodeName', 'spec.source']],
    [{ 'spec.attacher': 'A_' }, ['spec.attacher']],
    [{ 'spec.source.persistentVolumeName': '' }, ['spec.source.persistentVolumeName']],
    [{ 'spec.source.persistentVolumeName': 'A_' }, ['spec.source.persistentVolumeName']],
    [{ 'spec.nodeName': 'A_' }, ['spec.nodeName']],
    [{ 'spec.source': { persistentVolumeName: 'v', inlineVolumeSpec: inline({}) } }, ['spec.source']],
    [
      { 'spec.source': { inlineVolumeSpec: inline({ capacity: { storage: '1Gi' } }) } },
      ['spec.source.inlineVolumeSpec.capacity'],
    ],
    [
      { 'spec.source': { inlineVolumeSpec: { hostPath: { path: '/x' } } } },
      ['spec.source.inlineVolumeSpec.accessModes', 'spec.source.inlineVolumeSpec.csi'],
    ],
  ],
};
