// Samples of the core group: a row for each resource, by its plural.
import { replacedTemplate, richPodSpec } from './podSpecs.js';
import { noNode, type Sample } from './sample.js';
import { everyByte, greatestExact, manyAddresses, manyKeys, oddInt32, said, someTime } from './values.js';

export const core = {
  configmaps: {
    replaced: {
      data: {
        colour: 'grün 𝄞\r\n second line ',
        'file.txt': undefined,
        added: '',
        'UPPER.lower_-': '007',
        ...manyKeys,
      },
    },
    fields: { data: { colour: 'green', 'file.txt': 'two\nlines\n' } },
  },
  // the address is in a range for documentation
  endpoints: {
    replaced: {
      subsets: [
        {
          addresses: manyAddresses,
          notReadyAddresses: [
            { ip: '192.0.2.20', hostname: 'some-host', nodeName: 'no-such-node' },
            {
              ip: '192.0.2.21',
              targetRef: {
                ...{ kind: 'Pod', namespace: 'kube-api-conformance', name: 'no-such-pod', resourceVersion: '7' },
                ...{ uid: '11111111-2222-3333-4444-555555555555', fieldPath: 'spec.containers{main}' },
              },
            },
          ],
          ports: [
            { name: 'https', port: 8443, protocol: 'TCP' },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        },
        { addresses: [{ ip: '192.0.2.10' }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] },
      ],
    },
    leftOut: { subsets: undefined },
    fields: {
      subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }],
    },
  },
  // its object must be in the event's namespace
  events: {
    replaced: {
      ...{ reason: 'Replaced', message: 'counted by a replace', type: 'Warning', count: 2 },
      ...{ firstTimestamp: '2023-02-03T04:05:06Z', lastTimestamp: '2025-02-03T04:05:07Z' },
      source: { component: 'replaced', host: 'other-host' },
      involvedObject: { kind: 'Service', name: 'other-object', fieldPath: 'spec.containers{main}' },
    },
    leftOut: {
      ...{ reason: undefined, message: undefined, type: undefined, count: undefined },
      ...{ firstTimestamp: undefined, lastTimestamp: undefined, source: undefined },
    },
    created: { source: { host: 'some-host' }, firstTimestamp: someTime, lastTimestamp: '2024-02-03T04:05:07Z' },
    fields: {
      reason: 'Checked',
      message: 'made by a check',
      type: 'Normal',
      source: { component: 'conformance' },
      count: 1,
    },
    fieldsIn: (namespace) => ({ involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'some-pod', namespace } }),
  },
  // far above the usage of the suite
  limitranges: {
    replaced: {
      spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '32Ti' }, min: { storage: '1' } }] },
    },
    fields: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '64Ti' } }] } },
  },
  namespaces: {
    replaced: {},
    fields: {},
    status: { phase: 'Active' },
  },
  // no workload is scheduled to it
  nodes: {
    // a node that is schedulable gets workloads
    replaced: {},
    fields: { spec: { unschedulable: true } },
    status: {
      capacity: { cpu: '4', memory: '8Gi' },
      allocatable: { cpu: '3900m', memory: '7Gi' },
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', ...said, lastHeartbeatTime: someTime }],
      // not an address, to which the network of a cluster would lead
      addresses: [{ type: 'Hostname', address: 'no-such-host.example' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: {
        ...{ machineID: 'some-machine', systemUUID: 'some-system', bootID: 'some-boot' },
        ...{ kernelVersion: '4.4', osImage: 'Some Linux', containerRuntimeVersion: 'some://1.2' },
        ...{ kubeletVersion: 'v1.5.0', kubeProxyVersion: 'v1.5.0', operatingSystem: 'linux', architecture: 'amd64' },
      },
      images: [{ names: ['registry.example/b:1', 'registry.example/a:1'], sizeBytes: greatestExact }],
      volumesInUse: ['example.com/b', 'example.com/a'],
      volumesAttached: [{ name: 'example.com/b', devicePath: '/dev/b' }],
    },
  },
  persistentvolumeclaims: {
    // the spec of a claim is immutable
    replaced: {},
    created: {
      spec: {
        resources: { limits: { storage: '3Gi' } },
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }] },
      },
    },
    fields: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        // No volume has this label, so no controller binds the claim to a volume of the cluster.
        selector: { matchLabels: { 'kube-api-conformance/no-such-volume': 'yes' } },
      },
    },
    status: { phase: 'Lost', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } },
  },
  persistentvolumes: {
    replaced: {
      spec: {
        capacity: { storage: '2Gi' },
        accessModes: ['ReadOnlyMany', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Delete',
        claimRef: { name: 'other-claim' },
      },
    },
    fields: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/srv/conformance' },
        persistentVolumeReclaimPolicy: 'Retain',
        // No claim has this name, so no controller binds the volume to a claim of the cluster.
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'kube-api-conformance', name: 'no-such-claim' },
      },
    },
    status: { phase: 'Available', message: 'checked', reason: 'Checked' },
  },
  // no node accepts it: it stays pending
  pods: {
    replaced: { spec: { activeDeadlineSeconds: oddInt32 } },
    created: { spec: richPodSpec },
    fields: {
      spec: {
        restartPolicy: 'Never',
        nodeSelector: noNode,
        containers: [{ name: 'main', image: 'registry.example/conformance:1', command: ['sleep', '3600'] }],
      },
    },
    status: {
      ...{ phase: 'Running', reason: 'Checked', message: 'written by a check' },
      ...{ hostIP: '192.0.2.40', podIP: '192.0.2.41', startTime: someTime },
      conditions: [{ type: 'Ready', status: 'False', ...said, lastProbeTime: someTime }],
      containerStatuses: [
        {
          ...{ name: 'main', ready: false, restartCount: 7, image: 'registry.example/conformance:1' },
          ...{ imageID: 'some://image', containerID: 'some://container' },
          state: { running: { startedAt: someTime } },
          lastState: {
            terminated: {
              ...{ exitCode: 137, signal: 9, reason: 'Checked', message: 'ended' },
              ...{ startedAt: someTime, finishedAt: '2024-02-03T04:05:07Z', containerID: 'some://other' },
            },
          },
        },
        {
          ...{ name: 'second', ready: false, restartCount: 0, image: 'registry.example/conformance:2', imageID: '' },
          state: { waiting: { reason: 'Checked', message: 'waits' } },
        },
      ],
    },
  },
  podtemplates: {
    replaced: {
      template: {
        metadata: { labels: { app: undefined, tier: 'Second' } },
        spec: richPodSpec,
      },
    },
    fields: {
      template: {
        metadata: { labels: { app: 'conformance' } },
        spec: { containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
      },
    },
  },
  // wants no pods
  replicationcontrollers: {
    replaced: { spec: { minReadySeconds: 3, template: replacedTemplate } },
    ownLabel: (label) => ({ spec: { selector: label, template: { metadata: { labels: label } } } }),
    fields: {
      spec: {
        replicas: 0,
        selector: { app: 'conformance' },
        template: {
          metadata: { labels: { app: 'conformance' } },
          spec: { nodeSelector: noNode, containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
        },
      },
    },
  },
  // far above the usage of the suite, or for what nobody uses
  resourcequotas: {
    replaced: {
      spec: {
        hard: {
          'requests.nvidia.com/gpu': undefined,
          'requests.amd.com/gpu': '50k',
          'requests.conformance.example/none': '0',
        },
      },
    },
    leftOut: { spec: { hard: undefined } },
    fields: { spec: { hard: { 'requests.nvidia.com/gpu': '100k' } } },
    status: { hard: { 'requests.nvidia.com/gpu': '90k' }, used: { 'requests.nvidia.com/gpu': '0' } },
  },
  secrets: {
    replaced: { data: { 'sample-key': undefined, 'second-key': everyByte } },
    fields: { type: 'Opaque', data: { 'sample-key': 'Y29uZm9ybWFuY2Utc2FtcGxl' } },
  },
  serviceaccounts: {
    replaced: { imagePullSecrets: [{ name: 'other-registry' }, { name: 'some-registry' }] },
    leftOut: { imagePullSecrets: undefined },
    fields: { imagePullSecrets: [{ name: 'some-registry' }] },
  },
  services: {
    replaced: {
      spec: {
        selector: { app: undefined, tier: 'replaced' },
        sessionAffinity: 'ClientIP',
        ports: [
          { name: 'https', port: 443, targetPort: 'secure', protocol: 'TCP' },
          { name: 'http', port: 80, targetPort: 8081, protocol: 'TCP' },
        ],
      },
    },
    leftOut: { spec: { selector: undefined, sessionAffinity: undefined } },
    fields: {
      spec: {
        selector: { app: 'conformance' },
        ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
      },
    },
    // since 1.31 only this type can have an ingress in its status; the class makes real controllers ignore the Service
    beforeStatus: { spec: { type: 'LoadBalancer', loadBalancerClass: 'conformance.example/none' } },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.11' }, { hostname: 'balancer.example.com' }] } },
  },
} satisfies Readonly<Record<string, Sample>>;
