// Tests what a 404 says about a path that no operation has.
import { describe, expect, it } from 'vitest';
import { resources } from '../../matrix/api/index.js';
import { Hints } from './hints.js';

const served = resources.filter(({ groupVersion }) => groupVersion.onRequest !== true);
const hints = new Hints(served);
const hintOf = (pathname: string) => hints.of(pathname);
const groups = [...new Set(served.map(({ groupVersion }) => groupVersion.group))]
  .filter((group) => group !== '')
  .sort();
const allGroups = `the served groups are ${groups.join(', ')} and the core group (v1)`;

describe('a group version that is not served', () => {
  it.each([
    ['/apis/apps/v1/namespaces/x/deployments', 'apps/v1 is not served; Deployments are in extensions/v1beta1'],
    ['/apis/apps/v1/namespaces/x/deployments/d/status', 'apps/v1 is not served; Deployments are in extensions/v1beta1'],
    ['/apis/apps/v1/watch/daemonsets', 'apps/v1 is not served; DaemonSets are in extensions/v1beta1'],
    ['/apis/apps/v1/deploy', 'apps/v1 is not served; Deployments are in extensions/v1beta1'],
    [
      '/apis/networking.k8s.io/v1/networkpolicies',
      'networking.k8s.io/v1 is not served; NetworkPolicies are in extensions/v1beta1',
    ],
    [
      '/apis/networking.k8s.io/v1/ingresses/',
      'networking.k8s.io/v1 is not served; Ingresses are in extensions/v1beta1',
    ],
    ['/apis/batch/v1beta1/jobs', 'batch/v1beta1 is not served; Jobs are in batch/v1 and extensions/v1beta1'],
    ['/apis/batch/v1beta1/cronjobs', 'batch/v1beta1 is not served; the group batch is served in v1'],
    [
      '/apis/autoscaling/v2/horizontalpodautoscalers',
      'autoscaling/v2 is not served; HorizontalPodAutoscalers are in autoscaling/v1 and extensions/v1beta1',
    ],
    ['/apis/autoscaling/v2beta2', 'autoscaling/v2beta2 is not served; the group autoscaling is served in v1'],
    ['/apis/events.k8s.io/v1/events', 'events.k8s.io/v1 is not served; Events are in v1'],
    ['/apis/discovery.k8s.io/v1/endpointslices', 'discovery.k8s.io/v1 is not served; Endpoints are in v1'],
    [
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      'apiextensions.k8s.io/v1 is not served; ThirdPartyResources are in extensions/v1beta1',
    ],
    ['/apis/core/v1/pods', 'core/v1 is not served; Pods are in v1'],
    ['/api/v2/pods', 'v2 is not served; Pods are in v1'],
    ['/api/v2', 'v2 is not served; the core group is served in v1'],
    ['/api/apps/v1/deployments', 'apps/v1 is not served; Deployments are in extensions/v1beta1'],
    ['/apis/Extensions/v1beta1/deployments', 'Extensions/v1beta1 is not served; the name of the group is extensions'],
    ['/apis/policy/v1/poddisruptionbudgets', `policy/v1 is not served; ${allGroups}`],
    ['/apis/apps/v1/statefulsets', `apps/v1 is not served; ${allGroups}`],
    ['/apis/apps/v1', `apps/v1 is not served; ${allGroups}`],
    ['/apis/apps', `apps is not served; ${allGroups}`],
    // Services of another group are something else.
    ['/apis/serving.example.com/v1/services', `serving.example.com/v1 is not served; ${allGroups}`],
    ['/apis/__proto__/v1/constructor', `__proto__/v1 is not served; ${allGroups}`],
  ])('%s', (path, hint) => expect(hintOf(path)).toBe(hint));
});

describe('a served group version', () => {
  it.each([
    ['/api/v1/pod', 'v1 has no resource "pod"; the name in the path is "pods"'],
    ['/api/v1/namespaces/x/Pods/p', 'v1 has no resource "Pods"; the name in the path is "pods"'],
    ['/api/v1/namespaces/x/svc', 'v1 has no resource "svc"; the name in the path is "services"'],
    ['/api/v1/namespace/x', 'v1 has no resource "namespace"; the name in the path is "namespaces"'],
    ['/api/v1/namespaces/x/deployments', 'v1 has no resource "deployments"; Deployments are in extensions/v1beta1'],
    ['/apis/extensions/v1beta1/pods', 'extensions/v1beta1 has no resource "pods"; Pods are in v1'],
    [
      '/apis/extensions/v1beta1/replicationcontrollers',
      'extensions/v1beta1 has no resource "replicationcontrollers"; ReplicationControllers are in v1',
    ],
    ['/apis/v1/namespaces/x/pods', 'v1 is below /api, not below /apis'],
    ['/api/extensions/v1beta1/deployments', 'extensions/v1beta1 is below /apis, not below /api'],
    ['/api/v1/namespaces/x/nodes', 'Nodes are not in a namespace: use /api/v1/nodes'],
    ['/api/v1/pods/x', 'Pods are in a namespace: use /api/v1/namespaces/{namespace}/pods/{name}'],
    ['/api/v1/namespaces/x/pods/p/foo', 'Pods have no subresource "foo"'],
  ])('%s', (path, hint) => expect(hintOf(path)).toBe(hint));
});

it.each([
  '/api/v1/zz',
  '/apis/batch/v1/cronjobs',
  '/api/v1/proxy/nodes/a',
  '/api/v1/namespaces/x/pods/p/log/more',
  '/apis//x',
  '/api/x',
  '/api/v1/__proto__',
  '/metrics',
  '/',
])('%s has no relative', (path) => expect(hintOf(path)).toBeUndefined());

it('names only what the server has', () => {
  const core = served.filter(({ groupVersion }) => groupVersion.group === '');
  expect(new Hints(core).of('/apis/apps/v1/deployments')).toBe(
    'apps/v1 is not served; the served groups are the core group (v1)',
  );
});

it('a long name is cut', () => {
  expect(hintOf(`/apis/${'x'.repeat(10_000)}/v1`)?.length).toBeLessThan(600);
});
