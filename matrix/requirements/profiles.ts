// Profiles: how many of a requirement's subjects a run tries.
import type { Case } from './cases.js';
import type { Profile } from './choice.js';

/**
 * Requirements that are about many operations, in the order in which they are asked for a case of an operation: a call
 * that succeeds says more than one of an object that is not there.
 */
const smoke = [
  'responses.status',
  'discovery.group-version',
  'watch.status',
  'surface.served',
  'authentication.several-enabled',
];

/** The cases of a profile, in their order. */
export function profileOf(profile: Profile, all: readonly Case[]): readonly Case[] {
  if (profile === 'full') return all;
  const chosen = new Set(profile === 'smoke' ? aRequestEach(all) : withoutFurtherVariants(all));
  return all.filter((one) => chosen.has(one));
}

/** A case for each operation, and what is about no operation. */
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

/** Every requirement on every operation with every media type and mechanism; of the variants of an input, the first. */
function withoutFurtherVariants(all: readonly Case[]): Case[] {
  const seen = new Set<string>();
  return all.filter(({ requirement, subject: { operation, mediaType, mechanism, variant } }) => {
    if (operation === undefined || variant === undefined) return true;
    const cell = [requirement.id, operation.id, mediaType, mechanism].join(' ');
    if (seen.has(cell)) return false;
    seen.add(cell);
    return true;
  });
}
