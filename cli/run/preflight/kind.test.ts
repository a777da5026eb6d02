// What kind of server a version tells of, and the target file that is offered for it.
import { describe, expect, it } from 'vitest';
import { offerOf } from './kind.js';

describe('the kind of a server', () => {
  it.each([
    ['v1.20.15', /this is kube-apiserver 1.20/],
    ['v1.20.2+k3s1', /looks like kube-apiserver 1.20/],
    ['v1.5.0+kube-api-conformance', undefined],
    ['v2', undefined],
  ])('%s', (told, offered) => {
    if (offered === undefined) expect(offerOf(told)).toBeUndefined();
    else expect(offerOf(told)).toMatch(offered);
  });
});
