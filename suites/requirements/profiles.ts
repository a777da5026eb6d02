// Profiles: the number of subjects that a run tries for a requirement.
import type { Case } from './cases.js';
import { representatives } from './representatives.js';

/** `smoke`: a request for each operation; `standard`: everything once; `full`: every case. */
export const profiles = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof profiles)[number];

/**
 * Requirements with many operations, in order of preference for the case of an operation: a successful call shows more
 * than a call on an absent object.
 */
const smoke = [
  'responses.status',
  'discovery.group-version',
  'watch.status',
  'surface.served',
  'authentication.several-enabled',
];

export function profileOf(profile: Profile, all: readonly Case[]): readonly Case[] {
  if (profile === 'full') return all;
  const chosen = new Set(profile === 'smoke' ? aRequestEach(all) : representatives(all));
  return all.filter((one) => chosen.has(one));
}

/** Returns one case for each operation, and the cases without an operation. */
function aRequestEach(all: readonly Case[]): Case[] {
  const seen = new Set<string>();
  return smoke.flatMap((wanted) =>
    all.filter(({ requirement, subject }) => {
      if (requirement.id !== wanted) return false;
      const operation = subject.operation?.id ?? subject.id;
      if (seen.has(operation)) return false;
      seen.add(operation);
      return true;
    }),
  );
}
