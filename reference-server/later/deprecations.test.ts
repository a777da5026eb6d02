// Tests the warnings about deprecated versions.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const endpoints = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
const ingress =
  'extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress';
const budget =
  'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget';

describe.each([
  ['1.36', endpoints, ingress, budget],
  ['1.20', undefined, ingress, undefined],
  ['1.18', undefined, undefined, undefined],
])('a server of %s', (kubeVersion, ofEndpoints, ofIngress, ofBudget) => {
  it('warns of the versions that it deprecates', async () => {
    await using server = await startFullServer({ kubeVersion });
    const warningOf = async (path: string, method = 'GET') => (await ask(server, path, { method })).headers.warning;
    const shown = (text: string | undefined) => text && `299 - "${text}"`;
    const namespace = 'namespaces/default';
    expect(await warningOf(`/api/v1/${namespace}/endpoints`)).toBe(shown(ofEndpoints));
    expect(await warningOf(`/api/v1/${namespace}/endpoints/absent`, 'DELETE')).toBe(shown(ofEndpoints));
    expect(await warningOf('/apis/extensions/v1beta1/ingresses?watch=1&timeoutSeconds=1')).toBe(shown(ofIngress));
    expect(await warningOf(`/apis/extensions/v1beta1/${namespace}/ingresses/absent/status`)).toBe(shown(ofIngress));
    expect(await warningOf('/apis/policy/v1beta1/poddisruptionbudgets')).toBe(shown(ofBudget));
    for (const path of ['/api/v1/services', '/apis/networking.k8s.io/v1/ingresses', '/api/v1']) {
      expect(await warningOf(path)).toBeUndefined();
    }
  });
});
