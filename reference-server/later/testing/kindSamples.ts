// Objects of every kind, smallest and full, that a real kube-apiserver of 1.20 takes: what they get is compared.
import type { AnyShape } from '../../testing/anyShape.js';

const ns = (path: string) =>
  path.replace('/v1/', '/v1/namespaces/default/').replace(/\/v1beta1\//, '/v1beta1/namespaces/default/');
const labels = { app: 'a' };
const selector = { matchLabels: labels };
const container = { name: 'm', image: 'registry.example.com/x:1' };
const pod = { containers: [container] };
const template = { metadata: { labels }, spec: pod };
const jobPod = { ...pod, restartPolicy: 'Never' };
const jobTemplate = { spec: { template: { spec: jobPod } } };

const get = { path: '/ready', port: 8080 };
const source = (name: string, more: AnyShape) => ({ name, ...more });

const fullVolumes = [
  source('empty', { emptyDir: {} }),
  source('memory', { emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }),
  source('host', { hostPath: { path: '/x' } }),
  source('config', { configMap: { name: 'c' } }),
  source('secret', { secret: { secretName: 's', items: [{ key: 'a', path: 'b' }] } }),
  source('downward', { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } }),
  source('claim', { persistentVolumeClaim: { claimName: 'c' } }),
  source('iscsi', { iscsi: { targetPortal: '1.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage.disk2', lun: 1 } }),
  source('rbd', { rbd: { monitors: ['a'], image: 'i' } }),
  source('azure', { azureDisk: { diskName: 'd', diskURI: 'https://blob/d' } }),
  source('scale', { scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'n' }, volumeName: 'v' } }),
  source('nfs', { nfs: { server: 's', path: '/p' } }),
  source('csi', { csi: { driver: 'csi.example.com' } }),
  source('all', {
    projected: {
      sources: [
        { serviceAccountToken: { path: 'token' } },
        { configMap: { name: 'c' } },
        { secret: { name: 's' } },
        { downwardAPI: { items: [{ path: 'n', resourceFieldRef: { containerName: 'm', resource: 'limits.cpu' } }] } },
      ],
    },
  }),
];

const fullContainer = {
  ...container,
  image: 'x',
  command: ['sh'],
  args: ['-c'],
  ports: [{ containerPort: 80 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } },
    { name: 'D', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
  ],
  envFrom: [{ configMapRef: { name: 'c' } }],
  resources: { limits: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' }, requests: { cpu: '500m' } },
  volumeMounts: [{ name: 'empty', mountPath: '/empty' }],
  livenessProbe: { httpGet: get },
  readinessProbe: { tcpSocket: { port: 80 } },
  startupProbe: { exec: { command: ['true'] } },
  lifecycle: { preStop: { httpGet: { port: 'http' } }, postStart: { exec: { command: ['true'] } } },
  securityContext: { runAsUser: 1, capabilities: { add: ['NET_ADMIN'] } },
};

const fullPod = {
  initContainers: [{ name: 'i', image: 'i:latest' }],
  containers: [
    fullContainer,
    { name: 'n', image: 'x@sha256:0000000000000000000000000000000000000000000000000000000000000000' },
  ],
  volumes: fullVolumes,
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: selector } },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
  ],
  securityContext: { fsGroup: 1, sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }] },
  hostAliases: [{ ip: '1.2.3.4', hostnames: ['a.example.com'] }],
  dnsConfig: { nameservers: ['1.2.3.4'], options: [{ name: 'ndots', value: '2' }] },
  nodeSelector: { a: 'b' },
  readinessGates: [{ conditionType: 'example.com/gate' }],
};
const fullTemplate = { metadata: { labels, annotations: { a: 'b' } }, spec: fullPod };

const port = { port: 80 };
const api = { version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 };

/** References to images, some of which name none: their image is pulled as that with a tag. */
const images = [
  ...['A_b!', 'Nginx', 'a/Nginx', 'a.b:5000/x', 'localhost/x', 'x:latest', 'X.Y/z', 'a__b', 'a___b', '-1', 'x-'],
  ...['a//b', 'x:1@sha256:0', 'x'.repeat(300)],
];

/** A path to post to, and the objects by what they stand for. Names and kinds are added. */
type Samples = Readonly<Record<string, AnyShape>>;

const workload = (full: AnyShape): Samples => ({
  smallest: { spec: { selector, template } },
  full: { metadata: { labels, annotations: { note: 'x' } }, spec: { selector, template: fullTemplate, ...full } },
});

const webhookSamples = {
  smallest: {},
  full: {
    webhooks: [
      {
        name: 'one.example.com',
        clientConfig: { service: { namespace: 'default', name: 's' } },
        rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things/*'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
      {
        name: 'two.example.com',
        clientConfig: { url: 'https://hooks.example.com/x', caBundle: 'Cg==' },
        rules: [
          {
            operations: ['*'],
            apiGroups: ['example.com'],
            apiVersions: ['*'],
            resources: ['things'],
            scope: 'Cluster',
          },
        ],
        failurePolicy: 'Ignore',
        matchPolicy: 'Exact',
        namespaceSelector: selector,
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        sideEffects: 'NoneOnDryRun',
        timeoutSeconds: 3,
        admissionReviewVersions: ['v1beta1', 'v1'],
      },
    ],
  },
};

export const kindSamples: Readonly<Record<string, Samples>> = {
  [ns('/api/v1/configmaps')]: {
    smallest: {},
    full: { metadata: { labels }, data: { a: 'b' }, binaryData: { c: 'ZA==' }, immutable: true },
  },
  [ns('/api/v1/endpoints')]: {
    smallest: {},
    'no subsets': { subsets: [] },
    full: {
      subsets: [
        {
          addresses: [{ ip: '1.2.3.4', nodeName: 'n' }],
          notReadyAddresses: [{ ip: '1.2.3.5' }],
          ports: [port, { name: 'u', port: 53, protocol: 'UDP' }].map((each, at) => ({ name: `p${at}`, ...each })),
        },
      ],
    },
  },
  [ns('/api/v1/events')]: {
    smallest: { involvedObject: { namespace: 'default' } },
    full: {
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
      reason: 'R',
      message: 'm',
      source: { component: 'c' },
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T03:04:05Z',
      count: 2,
      type: 'Normal',
    },
  },
  [ns('/api/v1/limitranges')]: {
    smallest: {},
    full: {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, default: { memory: '1Gi' } },
          { type: 'Pod', min: { 'ephemeral-storage': '1Mi' }, max: { 'ephemeral-storage': '1Gi' } },
          { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
        ],
      },
    },
  },
  [ns('/api/v1/persistentvolumeclaims')]: {
    smallest: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    full: {
      spec: {
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
        storageClassName: '',
        volumeName: 'v',
        selector,
        volumeMode: 'Block',
      },
    },
  },
  [ns('/api/v1/pods')]: {
    ...Object.fromEntries(images.map((image, at) => [`image ${at}`, { spec: { containers: [{ name: 'm', image }] } }])),
    smallest: { spec: pod },
    'with limits': { spec: { containers: [{ ...container, resources: { limits: { cpu: '1', memory: '1Gi' } } }] } },
    'with requests': { spec: { containers: [{ ...container, resources: { requests: { cpu: '1' } } }] } },
    'on the network of the host': {
      spec: { ...pod, hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] },
    },
    full: { spec: { ...fullPod, serviceAccountName: 'default' } },
  },
  [ns('/api/v1/podtemplates')]: {
    smallest: { template: { spec: pod } },
    full: { template: fullTemplate },
    'tokens at one path': {
      template: {
        spec: {
          ...pod,
          volumes: [
            source('v', {
              projected: { sources: ['a', 'b'].map((audience) => ({ serviceAccountToken: { audience, path: 't' } })) },
            }),
          ],
        },
      },
    },
  },
  [ns('/api/v1/replicationcontrollers')]: {
    smallest: { spec: { template } },
    full: { metadata: { labels }, spec: { replicas: 0, selector: labels, template: fullTemplate, minReadySeconds: 2 } },
  },
  [ns('/api/v1/resourcequotas')]: {
    smallest: {},
    full: {
      spec: {
        hard: {
          pods: '1',
          'requests.ephemeral-storage': '1Gi',
          'limits.ephemeral-storage': '1Gi',
          'ephemeral-storage': '2Gi',
          'count/deployments.apps': '2',
          'requests.storage': '1Gi',
          'services.nodeports': '1',
          'hugepages-2Mi': '2Mi',
        },
        scopeSelector: undefined,
      },
    },
    scoped: { spec: { hard: { pods: '1' }, scopes: ['NotTerminating'] } },
    'scoped with resources of others': {
      spec: { hard: { 'limits.cpu': '1', 'example.com/a': '1', 'count/pods': '1' }, scopes: ['NotBestEffort'] },
    },
    'with a selector of scopes': {
      spec: {
        hard: { pods: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
      },
    },
  },
  [ns('/api/v1/secrets')]: {
    smallest: {},
    full: { type: 'kubernetes.io/basic-auth', stringData: { username: 'a', password: 'b' }, immutable: true },
  },
  [ns('/api/v1/serviceaccounts')]: {
    smallest: {},
    full: { imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: false, secrets: [{ name: 's' }] },
  },
  [ns('/api/v1/services')]: {
    'headless without ports': { spec: { clusterIP: 'None', selector: labels, ports: [] } },
    'of a complete name': { spec: { type: 'ExternalName', externalName: 'a.example.com.' } },
    smallest: { spec: { ports: [port] } },
    'with ports of 0': { spec: { ports: [{ port: 80, targetPort: 0, nodePort: 0 }] } },
    headless: { spec: { clusterIP: 'None', selector: labels, ports: [port] } },
    'headless without a selector': { spec: { clusterIP: 'None' } },
    external: { spec: { type: 'ExternalName', externalName: 'a.example.com' } },
    'on node ports': { spec: { type: 'NodePort', ports: [{ ...port, targetPort: 'http' }] } },
    balanced: { spec: { type: 'LoadBalancer', ports: [port], externalTrafficPolicy: 'Local' } },
    sticky: { spec: { ports: [port], sessionAffinity: 'ClientIP' } },
    full: {
      spec: {
        type: 'LoadBalancer',
        selector: labels,
        ports: [
          { name: 'a', port: 80, appProtocol: 'example.com/h' },
          { name: 'b', port: 53, protocol: 'UDP' },
        ].slice(0, 1),
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: {},
        externalIPs: ['1.2.3.4'],
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        publishNotReadyAddresses: true,
      },
    },
  },
  '/api/v1/namespaces': { smallest: {}, full: { metadata: { labels, annotations: { a: 'b' } } } },
  '/api/v1/nodes': {
    smallest: {},
    full: {
      metadata: { labels },
      spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'k', effect: 'NoSchedule' }], unschedulable: true },
      status: { capacity: { cpu: '2', memory: '4Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
    },
  },
  '/api/v1/persistentvolumes': {
    smallest: { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    full: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'c',
        mountOptions: ['hard'],
        rbd: { monitors: ['a'], image: 'i' },
        claimRef: { namespace: 'default', name: 'c' },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'Exists' }] }] },
        },
      },
    },
    iscsi: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        iscsi: { targetPortal: '1.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage.disk2', lun: 1 },
      },
    },
    scaleIO: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'n' }, volumeName: 'v' },
      },
    },
  },
  [ns('/apis/apps/v1/controllerrevisions')]: {
    smallest: { data: { a: 1 }, revision: 1 },
    full: { metadata: { labels }, data: { spec: { template: {} } }, revision: 3 },
  },
  [ns('/apis/apps/v1/daemonsets')]: {
    ...workload({ updateStrategy: { type: 'OnDelete' }, minReadySeconds: 2, revisionHistoryLimit: 3 }),
    'updating by its default': { spec: { selector, template, updateStrategy: { type: 'RollingUpdate' } } },
  },
  [ns('/apis/apps/v1/deployments')]: {
    ...workload({ replicas: 2, strategy: { type: 'Recreate' }, paused: true, minReadySeconds: 2 }),
    'updating by its default': { spec: { selector, template, strategy: { rollingUpdate: { maxSurge: 2 } } } },
  },
  [ns('/apis/apps/v1/replicasets')]: workload({ replicas: 0, minReadySeconds: 2 }),
  [ns('/apis/apps/v1/statefulsets')]: workload({
    replicas: 2,
    serviceName: 's',
    podManagementPolicy: 'Parallel',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: {} },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  }),
  [ns('/apis/autoscaling/v1/horizontalpodautoscalers')]: {
    smallest: { spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 2 } },
    full: {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 2,
        maxReplicas: 4,
        targetCPUUtilizationPercentage: 50,
      },
    },
  },
  [ns('/apis/batch/v1/jobs')]: {
    smallest: { spec: { template: { spec: jobPod } } },
    full: {
      metadata: { labels },
      spec: {
        parallelism: 2,
        completions: 3,
        backoffLimit: 1,
        activeDeadlineSeconds: 60,
        ttlSecondsAfterFinished: 5,
        template: { spec: { ...fullPod, restartPolicy: 'OnFailure' } },
      },
    },
  },
  [ns('/apis/batch/v1beta1/cronjobs')]: {
    smallest: { spec: { schedule: '* * * * *', jobTemplate } },
    full: {
      spec: {
        schedule: '@daily',
        startingDeadlineSeconds: 10,
        concurrencyPolicy: 'Forbid',
        suspend: true,
        successfulJobsHistoryLimit: 0,
        jobTemplate: {
          metadata: { labels },
          spec: { backoffLimit: 2, template: { spec: { ...fullPod, restartPolicy: 'OnFailure' } } },
        },
      },
    },
  },
  [ns('/apis/coordination.k8s.io/v1/leases')]: {
    smallest: {},
    full: {
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-02T03:04:05.123456Z',
        renewTime: '2026-01-02T03:04:05.123456Z',
        leaseTransitions: 1,
      },
    },
  },
  [ns('/apis/networking.k8s.io/v1/ingresses')]: {
    smallest: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    full: {
      spec: {
        ingressClassName: 'c',
        tls: [{ hosts: ['a.example.com'], secretName: 's' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'p' } } } }],
            },
          },
        ],
      },
    },
  },
  [ns('/apis/networking.k8s.io/v1/networkpolicies')]: {
    'without a spec': {},
    'without a selector': { spec: { egress: [{}] } },
    smallest: { spec: { podSelector: {} } },
    'with egress': { spec: { podSelector: {}, egress: [{}] } },
    full: {
      spec: {
        podSelector: selector,
        ingress: [
          {
            ports: [{ port: 80 }, { port: 'http', protocol: 'UDP' }],
            from: [
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
              { namespaceSelector: {}, podSelector: {} },
            ],
          },
        ],
        egress: [{ to: [{ podSelector: selector }], ports: [{ port: 53, protocol: 'UDP' }] }],
      },
    },
  },
  '/apis/networking.k8s.io/v1/ingressclasses': {
    smallest: { spec: { controller: 'example.com/c' } },
    full: {
      metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'false' } },
      spec: { controller: 'example.com/c', parameters: { apiGroup: 'k8s.example.com', kind: 'K', name: 'n' } },
    },
  },
  [ns('/apis/policy/v1beta1/poddisruptionbudgets')]: {
    smallest: {},
    full: { spec: { selector, minAvailable: '50%' } },
  },
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': webhookSamples,
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations': webhookSamples,
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': {
    smallest: {},
    full: {
      metadata: { labels },
      rules: [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
        { verbs: ['get'], nonResourceURLs: ['/x/*'] },
      ],
      aggregationRule: { clusterRoleSelectors: [selector] },
    },
  },
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings': {
    smallest: { roleRef: { kind: 'ClusterRole', name: 'r' } },
    full: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'default', name: 's' },
      ],
    },
  },
  [ns('/apis/rbac.authorization.k8s.io/v1/roles')]: {
    smallest: {},
    full: { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] },
  },
  [ns('/apis/rbac.authorization.k8s.io/v1/rolebindings')]: {
    smallest: { roleRef: { kind: 'Role', name: 'r' } },
    full: { roleRef: { kind: 'ClusterRole', name: 'r' }, subjects: [{ kind: 'Group', name: 'g' }] },
  },
  '/apis/apiregistration.k8s.io/v1/apiservices': {
    smallest: { metadata: { name: 'v1.a.example.com' }, spec: { ...api, group: 'a.example.com' } },
    full: {
      metadata: { name: 'v1.b.example.com' },
      spec: {
        ...api,
        group: 'b.example.com',
        service: { namespace: 'default', name: 's' },
        insecureSkipTLSVerify: true,
      },
    },
  },
  '/apis/node.k8s.io/v1/runtimeclasses': {
    smallest: { handler: 'runc' },
    full: {
      handler: 'runc',
      overhead: { podFixed: { cpu: '10m', memory: '1Gi' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
    },
  },
  '/apis/scheduling.k8s.io/v1/priorityclasses': {
    smallest: {},
    full: { value: -5, description: 'd', preemptionPolicy: 'Never', globalDefault: true },
  },
  '/apis/storage.k8s.io/v1/csidrivers': {
    smallest: {},
    full: {
      spec: { attachRequired: false, podInfoOnMount: true, volumeLifecycleModes: ['Ephemeral'], fsGroupPolicy: 'File' },
    },
  },
  '/apis/storage.k8s.io/v1/csinodes': {
    smallest: { spec: { drivers: [] } },
    full: {
      spec: {
        drivers: [{ name: 'a.example.com', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 3 } }],
      },
    },
  },
  '/apis/storage.k8s.io/v1/storageclasses': {
    smallest: { provisioner: 'example.com/p' },
    full: {
      provisioner: 'example.com/p',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      mountOptions: ['hard'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'k', values: ['v'] }] }],
    },
  },
  '/apis/storage.k8s.io/v1/volumeattachments': {
    smallest: { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    full: {
      spec: {
        attacher: 'a.example.com',
        nodeName: 'n',
        source: {
          inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd.example.com', volumeHandle: 'h' } },
        },
      },
      status: { attached: true },
    },
  },
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas': {
    smallest: { spec: { priorityLevelConfiguration: { name: 'exempt' } } },
    'with zeros': { spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 0 } },
    full: {
      spec: {
        priorityLevelConfiguration: { name: 'exempt' },
        matchingPrecedence: 50,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [
              { kind: 'Group', group: { name: 'g' } },
              { kind: 'User', user: { name: 'u' } },
              { kind: 'ServiceAccount', serviceAccount: { namespace: 'default', name: '*' } },
            ],
            resourceRules: [{ verbs: ['get'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
            nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/healthz', '/a/*'] }],
          },
        ],
      },
    },
  },
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': {
    smallest: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
    queuing: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
    'with zeros': {
      spec: {
        type: 'Limited',
        limited: { limitResponse: { type: 'Queue', queuing: { queues: 0, handSize: 0, queueLengthLimit: 0 } } },
      },
    },
    full: {
      spec: {
        type: 'Limited',
        limited: { limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 10 } } },
      },
    },
  },
};

/** Returns the path of a kind on a server of 1.20, which has some in an earlier version. */
export const earlierPath = (path: string): string =>
  path.replace('/flowcontrol.apiserver.k8s.io/v1/', '/flowcontrol.apiserver.k8s.io/v1beta1/');
