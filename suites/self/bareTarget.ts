// The target of tests that need no more of one than its address.
import type { Target } from '../../matrix/requirements/index.js';

/** A target of which nothing is known but its URL and what `more` says. */
export function bareTarget(url: string, more: Partial<Target> = {}): Target {
  return {
    name: 'some-server',
    url,
    credentials: {},
    vendor: 'kubernetes',
    domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
    notSupported: [],
    deviations: [],
    disposable: false,
    ...more,
  };
}
