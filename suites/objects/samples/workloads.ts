// Samples of the groups extensions, batch and autoscaling: a row for each resource, by its plural.
import type { JsonObject } from '../../client/json.js';
import { replacedTemplate, zerosTemplate } from './podSpecs.js';
import { noNode, type Sample } from './sample.js';
import { oddInt32, said, someTime } from './values.js';

export const inSelectorAndTemplate = (label: JsonObject): JsonObject => ({
  spec: { selector: { matchLabels: label }, template: { metadata: { labels: label } } },
});

/** The status of an autoscaler. */
const scaled = {
  ...{ observedGeneration: 7, lastScaleTime: someTime },
  ...{ currentReplicas: 1, desiredReplicas: 2 },
};

export const batch = {
  jobs: {
    replaced: { spec: { activeDeadlineSeconds: oddInt32 } },
    created: { spec: { template: replacedTemplate } },
    fields: {
      spec: {
        parallelism: 0,
        completions: 1,
        template: {
          metadata: { labels: { app: 'conformance' } },
          spec: {
            restartPolicy: 'Never',
            nodeSelector: noNode,
            containers: [{ name: 'main', image: 'registry.example/conformance:1' }],
          },
        },
      },
    },
    status: {
      active: 1,
      failed: 2,
      conditions: [{ type: 'Suspended', status: 'False', ...said, lastProbeTime: someTime }],
    },
  },
} satisfies Readonly<Record<string, Sample>>;

export const autoscaling = {
  horizontalpodautoscalers: {
    replaced: {
      spec: {
        scaleTargetRef: { name: 'other-controller' },
        ...{ minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 60 },
      },
    },
    leftOut: { spec: { minReplicas: undefined, targetCPUUtilizationPercentage: undefined } },
    fields: {
      spec: {
        scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'some-controller' },
        minReplicas: 1,
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
      },
    },
    status: scaled,
  },
} satisfies Readonly<Record<string, Sample>>;

export const extensions = {
  // no node matches, so the DaemonSet creates no pods
  daemonsets: {
    replaced: { spec: { template: zerosTemplate } },
    ownLabel: inSelectorAndTemplate,
    fields: {
      spec: {
        selector: { matchLabels: { app: 'conformance' } },
        template: {
          metadata: { labels: { app: 'conformance' } },
          spec: {
            nodeSelector: noNode,
            containers: [{ name: 'main', image: 'registry.example/conformance:1' }],
          },
        },
      },
    },
    status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
  },
  // wants no pods until a replace, and then one that no node accepts
  deployments: {
    replaced: {
      spec: {
        ...{ replicas: 1, minReadySeconds: 3, revisionHistoryLimit: 0, paused: true, progressDeadlineSeconds: 60 },
        template: replacedTemplate,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 2 } },
      },
    },
    leftOut: { spec: { strategy: undefined } },
    created: { spec: { replicas: 0 } },
    ownLabel: inSelectorAndTemplate,
    fields: {
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'conformance' } },
        template: {
          metadata: { labels: { app: 'conformance' } },
          spec: { nodeSelector: noNode, containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
        },
      },
    },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 },
  },
  horizontalpodautoscalers: {
    replaced: {
      spec: {
        scaleRef: { name: 'other-controller' },
        ...{ minReplicas: 2, maxReplicas: 5, cpuUtilization: { targetPercentage: 60 } },
      },
    },
    leftOut: { spec: { minReplicas: undefined, cpuUtilization: undefined } },
    fields: {
      spec: {
        scaleRef: { kind: 'ReplicationController', name: 'some-controller', apiVersion: 'v1', subresource: 'scale' },
        minReplicas: 1,
        maxReplicas: 3,
        cpuUtilization: { targetPercentage: 50 },
      },
    },
    status: scaled,
  },
  ingresses: {
    replaced: {
      spec: {
        backend: { serviceName: 'default-service', servicePort: 8080 },
        tls: [{ hosts: ['replaced.example.com'], secretName: 'some-secret' }],
        rules: [
          {
            host: 'replaced.example.com',
            http: {
              paths: [
                { path: '/b', backend: { serviceName: 'other-service', servicePort: 'named' } },
                { path: '/a', backend: { serviceName: 'some-service', servicePort: 81 } },
              ],
            },
          },
          {
            host: 'conformance.example.com',
            http: { paths: [{ path: '/', backend: { serviceName: 'some-service', servicePort: 80 } }] },
          },
        ],
      },
    },
    // one of the two is required
    leftOut: { spec: { backend: { serviceName: 'some-service', servicePort: 80 }, rules: undefined } },
    fields: {
      spec: {
        rules: [
          {
            host: 'conformance.example.com',
            http: { paths: [{ path: '/', backend: { serviceName: 'some-service', servicePort: 80 } }] },
          },
        ],
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.12' }, { hostname: 'balancer.example.com' }] } },
  },
  jobs: batch.jobs,
  networkpolicies: {
    // an empty rule allows everything
    replaced: {
      spec: {
        podSelector: { matchLabels: { app: undefined, tier: 'replaced' } },
        ingress: [
          {
            ports: [{ port: 81, protocol: 'TCP' }],
            from: [
              { podSelector: { matchLabels: { tier: 'front' } } },
              { namespaceSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['b', 'a'] }] } },
            ],
          },
          {},
        ],
      },
    },
    leftOut: { spec: { ingress: undefined } },
    fields: {
      spec: {
        podSelector: { matchLabels: { app: 'conformance' } },
        ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }],
      },
    },
  },
  // wants no pods until a replace, and then one that no node accepts
  replicasets: {
    replaced: { spec: { replicas: 1, minReadySeconds: 3, template: replacedTemplate } },
    created: { spec: { replicas: 0 } },
    ownLabel: inSelectorAndTemplate,
    fields: {
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'conformance' } },
        template: {
          metadata: { labels: { app: 'conformance' } },
          spec: { nodeSelector: noNode, containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
        },
      },
    },
    status: {
      ...{ replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1 },
      conditions: [{ type: 'ReplicaFailure', status: 'False', ...said }],
    },
  },
  // its name is <kind>.<domain>
  thirdpartyresources: {
    replaced: { description: 'made by a replace', versions: [{ name: 'v1' }, { name: 'v2' }] },
    leftOut: { description: undefined },
    fields: { description: 'made by a check', versions: [{ name: 'v1' }] },
    nameSuffix: '.conformance.example.com',
  },
} satisfies Readonly<Record<string, Sample>>;
