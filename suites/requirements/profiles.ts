// Profiles: the number of subjects that a run tries for a requirement.
import type { Case } from './cases.js';
import { fewestOf, representatives } from './representatives.js';

/** `smoke`: each operation and each requirement once; `standard`: everything once; `full`: every case. */
export const profiles = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof profiles)[number];

export function profileOf(profile: Profile, all: readonly Case[]): readonly Case[] {
  if (profile === 'full') return all;
  const chosen = new Set(profile === 'smoke' ? fewestOf(all) : representatives(all));
  return all.filter((one) => chosen.has(one));
}
