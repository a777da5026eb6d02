// A choice in words.
import type { Choice } from '../suites/requirements/index.js';

/** Returns a few words for each part of a choice; empty if everything is chosen. */
export function choiceWords({ chapters, grep, profile, readOnly, kinds, shard }: Choice): string[] {
  return [
    ...(chapters === undefined ? [] : [`${chapters.length === 1 ? 'chapter' : 'chapters'} ${chapters.join(', ')}`]),
    ...(grep === undefined ? [] : [`ids with "${grep}"`]),
    ...(profile === undefined || profile === 'full' ? [] : [`profile ${profile}`]),
    ...(readOnly ? ['read-only'] : []),
    ...(kinds === undefined ? [] : [`${kinds.length === 1 ? 'kind' : 'kinds'} ${kinds.join(', ')}`]),
    ...(shard === undefined ? [] : [`shard ${shard.index} of ${shard.of}`]),
  ];
}
