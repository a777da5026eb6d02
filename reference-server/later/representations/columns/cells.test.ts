// Tests the cells of each resource.
import { describe, expect, it } from 'vitest';
import { laterResources } from '../../../../matrix/api/modern/resources.js';
import { setConversion } from '../../../versions/conversions.js';
import { ServedResources, tableWith } from '../../../versions/servedResources.js';
import { groups } from '../../groups/index.js';
import { Tables } from './index.js';
import { scaleColumns } from './workloads.js';

const served = new ServedResources(tableWith(laterResources));
for (const { resource, conversion } of groups.kinds ?? []) if (conversion) setConversion(resource, conversion);

const now = Date.parse('2026-01-01T01:00:00Z');
const created = '2026-01-01T00:00:00Z';
const tables = new Tables();

const template = {
  metadata: { labels: { b: '2', a: '1' } },
  spec: {
    nodeSelector: { y: '2', x: '1' },
    containers: [
      { name: 'c', image: 'i' },
      { name: 'd', image: 'j' },
    ],
  },
};
const selector = {
  matchLabels: { b: 'c', a: 'b' },
  matchExpressions: [
    { key: 'x', operator: 'In', values: ['q', 'p'] },
    { key: 'a', operator: 'Exists' },
    { key: 'z', operator: 'DoesNotExist' },
  ],
};
const selected = 'a=b,a,b=c,x in (p,q),!z';
const ingress = (...addresses: readonly object[]) => ({ loadBalancer: { ingress: addresses } });
const addresses = (count: number) => Array.from({ length: count }, (_, index) => ({ ip: `10.0.0.${index + 1}` }));

describe('the cells of', () => {
  it.each<[id: string, fields: object, expected: readonly unknown[]]>([
    ['apiregistration.k8s.io/apiservices', {}, ['Local', 'Unknown', '60m']],
    [
      'apiregistration.k8s.io/apiservices',
      {
        spec: { service: { namespace: 'n', name: 's' } },
        status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] },
      },
      ['n/s', 'False (MissingEndpoints)', '60m'],
    ],
    [
      'certificates.k8s.io/certificatesigningrequests',
      { spec: { signerName: 'a.b/c', username: 'jane', expirationSeconds: 3600 } },
      ['60m', 'a.b/c', 'jane', '60m', 'Pending'],
    ],
    [
      'certificates.k8s.io/certificatesigningrequests',
      { status: { conditions: [{ type: 'Approved' }, { type: 'Failed' }], certificate: 'YQ==' } },
      ['60m', '<none>', '', '<none>', 'Approved,Failed,Issued'],
    ],
    [
      'flowcontrol.apiserver.k8s.io/flowschemas',
      {
        spec: {
          priorityLevelConfiguration: { name: 'l' },
          matchingPrecedence: 5,
          distinguisherMethod: { type: 'ByUser' },
        },
        status: { conditions: [{ type: 'Dangling', status: 'False' }] },
      },
      ['l', 5, 'ByUser', '60m', 'False'],
    ],
    ['flowcontrol.apiserver.k8s.io/flowschemas', {}, ['', 0, '<none>', '60m', '?']],
    [
      'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
      {
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 30,
            limitResponse: { queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
          },
        },
      },
      ['Limited', 30, 64, 6, 50, '60m'],
    ],
    [
      'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
      { spec: { type: 'Exempt' } },
      ['Exempt', '<none>', '<none>', '<none>', '<none>', '60m'],
    ],
    [
      'networking.k8s.io/ipaddresses',
      { spec: { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } } },
      ['services/default/kubernetes'],
    ],
    ['networking.k8s.io/ipaddresses', { spec: { parentRef: { group: 'a.b', resource: 'c', name: 'd' } } }, ['c.a.b/d']],
    [
      'networking.k8s.io/servicecidrs',
      { spec: { cidrs: ['10.0.0.0/16', 'fd00::/64'] } },
      ['10.0.0.0/16,fd00::/64', '60m'],
    ],
    ['node.k8s.io/runtimeclasses', { handler: 'runc' }, ['runc', '60m']],
    ['resource.k8s.io/resourceclaims', {}, ['pending', '60m']],
    [
      'resource.k8s.io/resourceclaims',
      { status: { allocation: {}, reservedFor: [{ name: 'p' }] } },
      ['allocated,reserved', '60m'],
    ],
    [
      'resource.k8s.io/resourceslices',
      { spec: { nodeName: 'n', driver: 'd', pool: { name: 'p' } } },
      ['n', 'd', 'p', '60m'],
    ],
    [
      'scheduling.k8s.io/priorityclasses',
      { value: 5, globalDefault: true, preemptionPolicy: 'Never' },
      [5, true, '60m', 'Never'],
    ],
    [
      'storage.k8s.io/csidrivers',
      {
        spec: {
          attachRequired: false,
          tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
          volumeLifecycleModes: ['Persistent'],
        },
      },
      [false, false, false, 'a,b', false, 'Persistent', '60m'],
    ],
    ['storage.k8s.io/csidrivers', {}, [true, false, false, '<unset>', false, '<none>', '60m']],
    ['storage.k8s.io/csinodes', { spec: { drivers: [{ name: 'a' }] } }, [1, '60m']],
    [
      'storage.k8s.io/storageclasses',
      { provisioner: 'p', allowVolumeExpansion: true },
      ['p', 'Delete', 'Immediate', true, '60m'],
    ],
    [
      'storage.k8s.io/volumeattachments',
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } }, status: { attached: true } },
      ['a', 'v', 'n', true, '60m'],
    ],
    ['storage.k8s.io/volumeattributesclasses', { driverName: 'd' }, ['d', '60m']],
    ['core/configmaps', { data: { a: '', b: '' }, binaryData: { c: '' } }, [3, '60m']],
    ['core/secrets', { type: 'Opaque', data: { a: '' } }, ['Opaque', 1, '60m']],
    ['core/limitranges', {}, [created]],
    ['core/namespaces', { status: { phase: 'Active' } }, ['Active', '60m']],
    [
      'core/nodes',
      { status: { conditions: [{ type: 'Ready', status: 'Unknown' }], nodeInfo: { kubeletVersion: 'v1' } } },
      ['NotReady', '<none>', '60m', 'v1', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
    ],
    [
      'core/services',
      { spec: { type: 'ExternalName', externalName: 'a.b' } },
      ['ExternalName', '<none>', 'a.b', '<none>', '60m', '<none>'],
    ],
    [
      'core/services',
      {
        spec: {
          type: 'NodePort',
          clusterIP: '10.0.0.1',
          externalIPs: ['1.1.1.1', '2.2.2.2'],
          ports: [
            { port: 80, nodePort: 30000, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
          ],
          selector: { b: '2', a: '1' },
        },
      },
      ['NodePort', '10.0.0.1', '1.1.1.1,2.2.2.2', '80:30000/TCP,53/UDP', '60m', 'a=1,b=2'],
    ],
    [
      'core/services',
      { spec: { type: 'LoadBalancer' } },
      ['LoadBalancer', '<none>', '<pending>', '<none>', '60m', '<none>'],
    ],
    [
      'core/services',
      {
        spec: { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
        status: ingress({ ip: '2.2.2.2' }, { hostname: 'a.b' }, { ip: '2.2.2.2' }),
      },
      ['LoadBalancer', '<none>', '2.2.2.2,a.b,9.9.9.9', '<none>', '60m', '<none>'],
    ],
    ['core/endpoints', {}, ['<none>', '60m']],
    ['core/endpoints', { subsets: [{ notReadyAddresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80 }] }] }, ['', '60m']],
    [
      'core/endpoints',
      { subsets: [{ addresses: addresses(2), ports: [{ port: 80 }] }] },
      ['10.0.0.1:80,10.0.0.2:80', '60m'],
    ],
    ['core/endpoints', { subsets: [{ addresses: addresses(5) }] }, ['10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...', '60m']],
    [
      'core/endpoints',
      { subsets: [{ addresses: [{ ip: 'fd00::1' }], ports: [{ port: 80 }] }] },
      ['[fd00::1]:80', '60m'],
    ],
    [
      'core/replicationcontrollers',
      { spec: { replicas: 3, selector: { a: 'b' }, template }, status: { replicas: 2, readyReplicas: 1 } },
      [3, 2, 1, '60m', 'c,d', 'i,j', 'a=b'],
    ],
    ['core/podtemplates', { template }, ['c,d', 'i,j', 'a=1,b=2']],
    [
      'core/resourcequotas',
      { status: { hard: { pods: '9', 'limits.cpu': '4', 'requests.cpu': '2' }, used: { pods: '3' } } },
      ['pods: 3/9, requests.cpu: 0/2', 'limits.cpu: 0/4', '60m'],
    ],
    [
      'core/componentstatuses',
      { conditions: [{ type: 'Healthy', status: 'False', message: 'm', error: 'e' }] },
      ['Unhealthy', 'm', 'e'],
    ],
    ['core/componentstatuses', {}, ['Unknown', '', '']],
    [
      'core/persistentvolumes',
      {
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
          persistentVolumeReclaimPolicy: 'Retain',
          claimRef: { namespace: 'n', name: 'c' },
          storageClassName: 's',
          volumeMode: 'Block',
        },
        status: { phase: 'Bound', reason: 'r' },
      },
      ['5Gi', 'ROX,RWX', 'Retain', 'Bound', 'n/c', 's', '<unset>', 'r', '60m', 'Block'],
    ],
    [
      'core/persistentvolumeclaims',
      {
        spec: { volumeName: 'v' },
        status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } },
      },
      ['Bound', 'v', '2Gi', 'RWO', '', '<unset>', '60m', '<unset>'],
    ],
    [
      'core/persistentvolumeclaims',
      { status: { phase: 'Pending' } },
      ['Pending', '', '', '', '', '<unset>', '60m', '<unset>'],
    ],
    [
      'extensions/deployments',
      {
        spec: { replicas: 3, selector, template },
        status: { readyReplicas: 2, availableReplicas: 2, updatedReplicas: 1 },
      },
      ['2/3', 1, 2, '60m', 'c,d', 'i,j', selected],
    ],
    [
      'extensions/replicasets',
      { spec: { replicas: 3, selector }, status: { replicas: 2, readyReplicas: 1 } },
      [3, 2, 1, '60m', '', '', selected],
    ],
    [
      'extensions/daemonsets',
      {
        spec: { template },
        status: { desiredNumberScheduled: 4, currentNumberScheduled: 3, numberReady: 2, numberAvailable: 1 },
      },
      [4, 3, 2, 0, 1, 'x=1,y=2', '60m', 'c,d', 'i,j', '<none>'],
    ],
    [
      'apps/deployments',
      { spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template } },
      ['0/1', 0, 0, '60m', 'c,d', 'i,j', 'a=b'],
    ],
    [
      'apps/statefulsets',
      { spec: { replicas: 2, template }, status: { readyReplicas: 1 } },
      ['1/2', '60m', 'c,d', 'i,j'],
    ],
    ['apps/controllerrevisions', { revision: 3 }, ['<none>', '3', '60m']],
    [
      'autoscaling.v2/horizontalpodautoscalers',
      {
        spec: {
          scaleTargetRef: { kind: 'Deployment', name: 'd' },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
          ],
        },
      },
      ['Deployment/d', 'cpu: <unknown>/60%', '1', 3, 0, '60m'],
    ],
    [
      'batch/cronjobs',
      {
        spec: { schedule: '0 * * * *', suspend: true, jobTemplate: { spec: { template } } },
        status: { active: [{}], lastScheduleTime: created },
      },
      ['0 * * * *', '<none>', true, 1, '60m', '60m', 'c,d', 'i,j', '<none>'],
    ],
    ['coordination.k8s.io/leases', { spec: { holderIdentity: 'h' } }, ['h', '60m']],
    [
      'discovery.k8s.io/endpointslices',
      {
        addressType: 'IPv4',
        ports: [{ port: 80 }, {}],
        endpoints: addresses(5).map(({ ip }) => ({ addresses: [ip] })),
      },
      ['IPv4', '80,*', '10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...', '60m'],
    ],
    ['discovery.k8s.io/endpointslices', { addressType: 'IPv6' }, ['IPv6', '<unset>', '<unset>', '60m']],
    [
      'networking.k8s.io/ingresses',
      { spec: { ingressClassName: 'c', rules: [{ host: 'a' }], defaultBackend: { service: { name: 's' } } } },
      ['c', 'a', '', '80', '60m'],
    ],
    [
      'networking.k8s.io/ingressclasses',
      { spec: { controller: 'c', parameters: { kind: 'K', apiGroup: 'g', name: 'n' } } },
      ['c', 'K.g/n', '60m'],
    ],
    ['policy/poddisruptionbudgets', { spec: { minAvailable: '50%' } }, ['50%', 'N/A', 0, '60m']],
    [
      'rbac.authorization.k8s.io/rolebindings',
      {
        roleRef: { kind: 'Role', name: 'r' },
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'User', name: 'b' },
          { kind: 'ServiceAccount', namespace: 'n', name: 's' },
        ],
      },
      ['Role/r', '60m', 'a, b', '', 'n/s'],
    ],
    ['extensions/ingresses', {}, ['<none>', '*', '', '80', '60m']],
    [
      'extensions/ingresses',
      {
        spec: { rules: ['a', 'b', 'c', 'd'].map((host) => ({ host })), tls: [{}] },
        status: ingress({ ip: '1.1.1.1' }),
      },
      ['<none>', 'a,b,c + 1 more...', '1.1.1.1', '80, 443', '60m'],
    ],
    ['extensions/networkpolicies', { spec: { podSelector: {} } }, ['<none>', '60m']],
    ['extensions/networkpolicies', { spec: { podSelector: selector } }, [selected, '60m']],
    [
      'extensions/thirdpartyresources',
      { description: 'd', versions: [{ name: 'v1' }, { name: 'v2' }] },
      ['d', 'v1,v2', '60m'],
    ],
    ['batch/jobs', {}, ['Running', '0/1', '', '60m', '', '', '<none>']],
    [
      'batch/jobs',
      { spec: { completions: 5 }, status: { succeeded: 2, startTime: '2026-01-01T00:30:00Z' } },
      ['Running', '2/5', '30m', '60m', '', '', '<none>'],
    ],
    [
      'batch/jobs',
      {
        spec: { parallelism: 3 },
        status: {
          startTime: created,
          completionTime: '2026-01-01T00:03:20Z',
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      },
      ['Complete', '0/1 of 3', '3m20s', '60m', '', '', '<none>'],
    ],
    [
      'autoscaling/horizontalpodautoscalers',
      { spec: { maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'd' } } },
      ['Deployment/d', '<none>', '<unset>', 5, 0, '60m'],
    ],
    [
      'autoscaling/horizontalpodautoscalers',
      {
        spec: { maxReplicas: 5, minReplicas: 2, targetCPUUtilizationPercentage: 70 },
        status: { currentReplicas: 3, currentCPUUtilizationPercentage: 50 },
      },
      ['/', 'cpu: 50%/70%', '2', 5, 3, '60m'],
    ],
    [
      'extensions/horizontalpodautoscalers',
      {
        spec: { maxReplicas: 5, scaleRef: { kind: 'ReplicaSet', name: 'r' }, cpuUtilization: { targetPercentage: 70 } },
      },
      ['ReplicaSet/r', 'cpu: <unknown>/70%', '<unset>', 5, 0, '60m'],
    ],
  ])('%s %j', (id, fields, expected) => {
    const cells = tables
      .of(served.byId(id))
      .cells({ metadata: { name: 'a', creationTimestamp: created }, ...fields }, now);
    expect(cells).toEqual(['a', ...expected]);
  });

  it('a node with roles that takes no pods', () => {
    const labels = {
      'node-role.kubernetes.io/worker': '',
      'kubernetes.io/role': 'main',
      'node-role.kubernetes.io/': '',
    };
    const node = {
      metadata: { name: 'n', labels },
      spec: { unschedulable: true },
      status: { addresses: [{ type: 'InternalIP', address: '1.1.1.1' }] },
    };
    expect(tables.of(served.byId('core/nodes')).cells(node, now).slice(0, 6)).toEqual([
      'n',
      'Unknown,SchedulingDisabled',
      'main,worker',
      '<unknown>',
      '',
      '1.1.1.1',
    ]);
  });

  it('a volume that is being deleted, with its class in an annotation', () => {
    const annotations = { 'volume.beta.kubernetes.io/storage-class': 'fast' };
    const volume = { metadata: { name: 'v', deletionTimestamp: created, annotations }, status: { phase: 'Bound' } };
    expect(tables.of(served.byId('core/persistentvolumes')).cells(volume, now).slice(4, 7)).toEqual([
      'Terminating',
      '',
      'fast',
    ]);
  });

  it.each<[fields: object, expected: readonly unknown[]]>([
    [
      {
        type: 'Normal',
        reason: 'R',
        message: ' m\n',
        count: 5,
        involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
        source: { component: 'c', host: 'h' },
        firstTimestamp: created,
        lastTimestamp: '2026-01-01T00:58:30Z',
      },
      ['90s', 'Normal', 'R', 'pod/p', 'spec', 'c, h', 'm', '60m', 5, 'e'],
    ],
    [
      { eventTime: created, reportingComponent: 'c', series: { count: 4, lastObservedTime: '2026-01-01T00:59:00Z' } },
      ['60s', '', '', '', '', 'c', '', '60m', 5, 'e'],
    ],
    [
      { involvedObject: { kind: 'Pod' }, firstTimestamp: null },
      ['<unknown>', '', '', 'pod', '', '', '', '<unknown>', 1, 'e'],
    ],
  ])('an event %j', (fields, expected) => {
    expect(tables.of(served.byId('core/events')).cells({ metadata: { name: 'e' }, ...fields }, now)).toEqual(expected);
  });

  it('a scale', () => {
    expect(
      scaleColumns.cells({ metadata: { name: 'a' }, spec: { replicas: 3 }, status: { replicas: 2 } }, now),
    ).toEqual(['a', 3, 2, '<unknown>']);
  });
});
