// What a real kube-apiserver of 1.36 says about objects that it takes: each row has what it said.
import type { AnyShape } from '../../testing/anyShape.js';

export const warned: readonly (readonly [path: string, body: AnyShape, ...warnings: string[]])[] = [
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        nodeSelector: { 'beta.kubernetes.io/arch': 'x', 'node-role.kubernetes.io/master': '' },
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
    },
    'spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead',
    'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
    'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
    'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'In', values: ['-'] }] },
              },
            ],
          },
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }],
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'a' } }],
          },
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }],
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { topologyKey: 'a', labelSelector: {} } },
            ],
          },
        },
      },
    },
    'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
    "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]: - is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod',
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [
          { name: 'a', gitRepo: { repository: 'x' } },
          { name: 'b', rbd: { monitors: ['a'], image: 'i' } },
          { name: 'd', storageos: { volumeName: 'x' } },
          {
            name: 'h',
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
              },
            },
          },
        ],
      },
    },
    'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    'spec.volumes[1].rbd: deprecated in v1.28, non-functional in v1.31+',
    'spec.volumes[2].storageOS: deprecated in v1.22, non-functional in v1.25+',
    'spec.volumes[3].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [
          {
            name: 'a',
            configMap: {
              name: 'x',
              items: [
                { key: 'a', path: 'p' },
                { key: 'b', path: 'p/q' },
                { key: 'c', path: 'p' },
              ],
            },
          },
          {
            name: 'b',
            secret: {
              secretName: 'x',
              items: [
                { key: 'a', path: 'p/' },
                { key: 'b', path: 'p' },
              ],
            },
          },
          {
            name: 'c',
            downwardAPI: {
              items: [
                { path: 'n', fieldRef: { fieldPath: 'metadata.name' } },
                { path: 'n/m', fieldRef: { fieldPath: 'metadata.name' } },
              ],
            },
          },
          {
            name: 'd',
            projected: {
              sources: [
                { secret: { name: 's', items: [{ key: 'a', path: 'x' }] } },
                { configMap: { name: 's', items: [{ key: 'a', path: 'x/y' }] } },
              ],
            },
          },
        ],
      },
    },
    'volume "a" (ConfigMap "x"): overlapping paths: "p" with "p"',
    'volume "a" (ConfigMap "x"): overlapping paths: "p" with "p/q"',
    'volume "a" (ConfigMap "x"): overlapping paths: "p/q" with "p"',
    'volume "b" (Secret "x"): overlapping paths: "p" with "p"',
    'volume "c" (DownwardAPI): overlapping paths: "n/m" with "n"',
    'volume "d" (Projected): overlapping paths: "x/y" (ConfigMap "s") with "x" (Secret "s")',
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        hostAliases: [
          { ip: '1.2.3.4', hostnames: ['a'] },
          { ip: '1.2.3.4', hostnames: ['b'] },
          { ip: 'FE80::0001', hostnames: ['b'] },
        ],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
        terminationGracePeriodSeconds: -1,
      },
    },
    'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
    'spec.hostAliases[2].ip: IPv6 address "FE80::0001" should be in RFC 5952 canonical format ("fe80::1")',
    'spec.imagePullSecrets[1].name: duplicate name "a"',
    'spec.imagePullSecrets[2].name: invalid empty name ""',
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { limits: { memory: '1500m' }, requests: { memory: '1500m' } },
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
              { name: 'A', value: '$(A)' },
              { name: 'A', value: '$(A)3' },
              { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
          },
        ],
      },
    },
    'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
    'spec.containers[0].env[4]: hides previous definition of "A", which may be dropped when using apply',
    'spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
    'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            ports: [
              { containerPort: 80, name: 'p' },
              { containerPort: 80, hostPort: 80 },
              { containerPort: 80, hostPort: 80, hostIP: '1.2.3.4' },
              { containerPort: 81, hostIP: '1.2.3.4' },
            ],
          },
          { name: 'd', image: 'i', ports: [{ containerPort: 80, name: 'p' }] },
        ],
      },
    },
    'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
    'spec.containers[0].ports[2]: dangerously ambiguous port definition with spec.containers[0].ports[1]',
    'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]',
    'spec.containers[0].ports[3]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol:TCP HostIP:1.2.3.4}',
    'spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]',
    'spec.containers[1].ports[0]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    'spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[1]',
    'spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[2]',
  ],
  [
    '/api/v1/namespaces/default/pods',
    { metadata: { name: 'a.b' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      metadata: {
        annotations: {
          'scheduler.alpha.kubernetes.io/critical-pod': '',
          'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
          'container.seccomp.security.alpha.kubernetes.io/c': 'runtime/default',
          'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default',
        },
      },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
    'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
  ],
  [
    '/api/v1/namespaces/default/podtemplates',
    {
      template: {
        metadata: {
          labels: { app: 'a' },
          annotations: {
            'scheduler.alpha.kubernetes.io/critical-pod': '',
            'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
            'container.seccomp.security.alpha.kubernetes.io/c': 'runtime/default',
            'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default',
          },
        },
        spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } },
      },
    },
    'template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    'template.metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
    'template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    'template.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    'template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/api/v1/namespaces/default/replicationcontrollers',
    {
      metadata: { name: 'a.b' },
      spec: {
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } },
        },
      },
    },
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    {
      metadata: { name: 'a.b' },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } },
        },
      },
    },
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/apis/apps/v1/namespaces/default/replicasets',
    {
      metadata: { name: 'a.b' },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } },
        },
      },
    },
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/apis/apps/v1/namespaces/default/daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } },
        },
      },
    },
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/apis/apps/v1/namespaces/default/statefulsets',
    {
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } },
        },
        serviceName: 's',
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
          },
        ],
      },
    },
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ],
  [
    '/apis/batch/v1/namespaces/default/jobs',
    {
      spec: {
        completionMode: 'Indexed',
        completions: 100001,
        parallelism: 10001,
        template: {
          metadata: { labels: { app: 'a' } },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            nodeSelector: { 'beta.kubernetes.io/os': 'x' },
            restartPolicy: 'Never',
          },
        },
      },
    },
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
  ],
  [
    '/apis/batch/v1/namespaces/default/cronjobs',
    {
      metadata: { name: 'a.b' },
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: {
            template: {
              metadata: { labels: { app: 'a' } },
              spec: {
                containers: [{ name: 'c', image: 'i' }],
                nodeSelector: { 'beta.kubernetes.io/os': 'x' },
                restartPolicy: 'Never',
              },
            },
          },
        },
      },
    },
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    'spec.jobTemplate.spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/api/v1/namespaces/default/services',
    { spec: { ports: [{ port: 80 }], clusterIP: 'None', externalIPs: ['1.2.3.4'], sessionAffinity: 'ClientIP' } },
    'spec.SessionAffinity is ignored for headless services',
    'spec.externalIPs is ignored for headless services',
  ],
  [
    '/api/v1/namespaces/default/services',
    {
      metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } },
      spec: {
        ports: [{ port: 80 }],
        externalIPs: ['2001:DB8::1'],
        externalName: 'a.b',
        trafficDistribution: 'PreferClose',
      },
    },
    'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ],
  [
    '/api/v1/namespaces/default/services',
    { spec: { ports: [{ port: 80 }], type: 'ExternalName', externalName: 'a.b', externalIPs: ['1.2.3.4'] } },
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  ],
  [
    '/api/v1/namespaces/default/services',
    { spec: { ports: [{ port: 80 }], type: 'LoadBalancer', loadBalancerSourceRanges: ['FE80::/64'] } },
    'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "FE80::/64" should be in RFC 5952 canonical format ("fe80::/64")',
  ],
  [
    '/api/v1/persistentvolumes',
    {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        persistentVolumeReclaimPolicy: 'Recycle',
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }],
          },
        },
      },
    },
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
  ],
  [
    '/api/v1/namespaces/default/persistentvolumeclaims',
    {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
    },
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ],
  [
    '/api/v1/namespaces/default/serviceaccounts',
    { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } },
    'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
  ],
  [
    '/api/v1/namespaces/default/secrets',
    { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a', 'tls.key': 'b' } },
    'tls: failed to find any PEM data in certificate input',
  ],
  [
    '/api/v1/nodes',
    { spec: { externalID: 'x', podCIDR: 'FD00::/64' } },
    'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    'spec.podCIDRs[0]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
  ],
  [
    '/api/v1/namespaces/default/resourcequotas',
    { spec: { hard: { cpu: '2', 'limits.cpu': '1', 'requests.memory': '2Gi', 'limits.memory': '1Gi' } } },
    'ResourceQuota cpu (2) should be less than limits.cpu (1)',
    'ResourceQuota requests.memory (2Gi) should be less than limits.memory (1Gi)',
  ],
  [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    { addressType: 'FQDN', endpoints: [{ addresses: ['a.b.c'] }] },
    'spec.addressType: FQDN endpoints are deprecated',
  ],
  [
    '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    },
    'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
  ],
  [
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: 'FD00::/16', except: ['FD00:1::/32'] } }] }] } },
    'spec.ingress[0].from[0].ipBlock.cidr: IPv6 CIDR value "FD00::/16" should be in RFC 5952 canonical format ("fd00::/16")',
    'spec.ingress[0].from[0].ipBlock.except[0]: IPv6 CIDR value "FD00:1::/32" should be in RFC 5952 canonical format ("fd00:1::/32")',
  ],
  [
    '/apis/node.k8s.io/v1/runtimeclasses',
    { handler: 'x', scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'x' } } },
    'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/apis/storage.k8s.io/v1/storageclasses',
    {
      provisioner: 'x',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'beta.kubernetes.io/os', values: ['x'] }] }],
    },
    'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    '/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities',
    { storageClassName: 'x', nodeTopology: { matchLabels: { 'beta.kubernetes.io/os': 'x' } } },
    'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
];
