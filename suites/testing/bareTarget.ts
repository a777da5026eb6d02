// A target for tests that need only its address.
import type { Target } from '../requirements/index.js';

/** Returns a target with a URL and with the fields of `more`; all other fields are empty or the default. */
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
