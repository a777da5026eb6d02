// Tests the suggestion of a target file for a version.
import { describe, expect, it } from 'vitest';
import { offerOf } from './kind.js';

describe('the kind of a server', () => {
  it.each([
    ['v1.20.15', /this is kube-apiserver 1.20/],
    ['v1.20.2+k3s1', /looks like kube-apiserver 1.20/],
    ['v1.33.1', /this is kube-apiserver 1.33 .*kube-apiserver-1.36.yaml to declare the known deviations of 1.36/],
    ['v1.21.0-eks-1', /looks like kube-apiserver 1.21 .*kube-apiserver-1.20.yaml/],
    ['v1.28.0', /kube-apiserver-1.36.yaml/],
    ['v1.7.0', /kube-apiserver-1.5.yaml/],
    ['v1.5.0+kube-api-conformance', undefined],
    ['v2', undefined],
  ])('%s', (response, offered) => {
    if (offered === undefined) expect(offerOf(response)).toBeUndefined();
    else expect(offerOf(response)).toMatch(offered);
  });
});
