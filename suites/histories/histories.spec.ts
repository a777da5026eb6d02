// Histories: random concurrent requests on the objects of a kind, held against a model.
import { fail } from '../client/expect.js';
import type { OperationSubject } from '../requirements/index.js';
import { defineChapter } from '../run/chapter.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { losesNone, writeBurst } from './burst.js';
import { judged } from './judge.js';
import { type Size, seedOf, usualSize } from './plan.js';
import { runHistory } from './run.js';
import { type JudgedHistory, shrunk } from './shrink.js';
import { type Statement, story, type Violation } from './violation.js';

/** Runs the histories of a kind until one contradicts the rules. */
async function runHistories(subject: OperationSubject, context: Context) {
  const { seed = 1, histories = 1, keepsHistories } = context.run;
  for (let index = 0; index < histories; index += 1) {
    const own = seedOf(seed, subject.id, index);
    const run = async (size: Size): Promise<JudgedHistory> => {
      const history = await runHistory(subject, context, own, size);
      return { history, violations: judged(history) };
    };
    const first = await run(usualSize);
    if (first.violations.length === 0) continue;
    const smallest = keepsHistories ? first : await shrunk(first, run);
    const again = `repeat: --chapter histories --grep '› ${subject.id}$' --seed ${seed} --histories ${index + 1}`;
    return { again, found: [smallest, first] };
  }
  return { again: '', found: [] };
}

/** Returns the check of a statement: the first violation, in the smallest history that shows it. */
const holds =
  (statement: Statement) =>
  ({ again, found }: Recorded<typeof runHistories>): void => {
    for (const { history, violations } of found) {
      const first = violations.find((one: Violation) => one.statement === statement);
      if (first !== undefined) fail(story(first, history, again));
    }
  };

defineChapter('histories', [
  group({
    subjects: 'histories',
    setup: runHistories,
    checks: {
      order: holds('order'),
      effects: holds('effects'),
      conflicts: holds('conflicts'),
      'failed-writes': holds('failed-writes'),
      reads: holds('reads'),
      lists: holds('lists'),
      pages: holds('pages'),
      'exact-lists': holds('exact-lists'),
      watches: holds('watches'),
      'selected-watches': holds('selected-watches'),
    },
  }),
  group({ subjects: 'historyBursts', setup: writeBurst, checks: { burst: losesNone } }),
]);
