// The ids of what would run.
import { choose } from '../../matrix/requirements/index.js';
import { type ChoiceOptions, choiceFrom } from './options.js';

/** Prints the ids of the chosen cases, a line each. Throws UsageError where there is none. */
export function listCases(options: ChoiceOptions): void {
  const ids = choose(choiceFrom(options)).map(({ id }) => id);
  process.stdout.write(`${ids.join('\n')}\n`);
}
