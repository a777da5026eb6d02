// A choice in words.
import type { Choice } from '../matrix/requirements/index.js';

/** What was chosen, a few words for each way; empty where everything was. */
export function choiceWords({ chapters, grep, profile, readOnly, shard }: Choice): string[] {
  return [
    ...(chapters === undefined ? [] : [`${chapters.length === 1 ? 'chapter' : 'chapters'} ${chapters.join(', ')}`]),
    ...(grep === undefined ? [] : [`ids with "${grep}"`]),
    ...(profile === undefined || profile === 'full' ? [] : [`profile ${profile}`]),
    ...(readOnly ? ['read-only'] : []),
    ...(shard === undefined ? [] : [`shard ${shard.index} of ${shard.of}`]),
  ];
}
