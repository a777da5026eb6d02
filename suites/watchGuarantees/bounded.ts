// Watches and their time. All those of a group run side by side, so that their second is waited for once.
import { caseId, type Exchange, type OperationSubject, subjectSets } from '../../matrix/requirements/index.js';
import { aliasFor } from '../support/aliases.js';
import { Client } from '../support/client.js';
import { equal, fail } from '../support/expect.js';
import { gate, metBy } from '../support/gate.js';
import type { Recorded } from '../support/recorded.js';
import { NoAnswer } from '../support/reply.js';
import { fill, type Scope } from '../support/scope.js';
import type { Stream, StreamEnd } from '../support/stream.js';
import { watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';

const seconds = 1;
/** A clock of the target may be read a little earlier than ours. */
const tolerance = 50;

interface Timed {
  readonly request: string;
  readonly status: number;
  /** Undefined where it still went on. */
  readonly end: StreamEnd | undefined;
  /** What was exchanged; the cell that judges it takes it over. */
  readonly exchanges: readonly Exchange[];
}

/** The watches of a group, by the ids of their subjects, and the one without a time. */
interface Batch {
  readonly bounded: ReadonlyMap<string, Promise<Timed>>;
  readonly unbounded: Promise<Timed>;
}

const batches = new WeakMap<Scope, Map<string, Batch>>();

const groupOf = ({ operation }: OperationSubject): string => operation.groupVersion.prefix;

/** The watches of a subject's group, opened at the first call. */
function batchOf(subject: OperationSubject, context: Context): Batch {
  const known = batches.get(context.scope) ?? new Map<string, Batch>();
  batches.set(context.scope, known);
  const found = known.get(groupOf(subject)) ?? open(subject, context);
  known.set(groupOf(subject), found);
  return found;
}

function open(subject: OperationSubject, context: Context): Batch {
  const { run } = context;
  const selected = subjectSets.boundedWatches.filter(
    (form) =>
      groupOf(form) === groupOf(subject) &&
      gate(metBy(run.target, form), form) === undefined &&
      (form.id === subject.id || context.chosen(caseId('watchGuarantees.bounded', form))),
  );
  const bounded = new Map(
    selected.map((form) => [form.id, timed(form, seconds, context, (stream) => stream.ended(longest(context)))]),
  );
  const others = Promise.allSettled(bounded.values());
  const unbounded = timed(subject, 'none', context, () => others);
  for (const watch of [...bounded.values(), unbounded]) watch.catch(() => undefined);
  return { bounded, unbounded };
}

const longest = ({ client }: Context): number => seconds * 1000 + client.usualStreamPatience;

/** Watches as long as `wait` says, with a client of its own. */
async function timed(
  { operation }: OperationSubject,
  timeoutSeconds: number | 'none',
  { run, client, scope }: Context,
  wait: (stream: Stream) => Promise<unknown>,
): Promise<Timed> {
  const own = new Client(run.target, client.usualStreamPatience, { ...client.rules, health: client.health });
  own.alias = aliasFor(run.target.aliases, operation)?.to;
  const namespace = operation.resource?.namespaced ? await scope.namespace() : undefined;
  const path = fill(operation.path, namespace, scope.name());
  try {
    const seen = await watching(own, path, { timeoutSeconds }, async (stream) => {
      await wait(stream);
      const { request, status, end } = stream;
      return { request, status, end };
    });
    return { ...seen, exchanges: own.takeExchanges() };
  } finally {
    await own.close();
  }
}

/** What came of a watch of a batch; of another one where that got no answer or broke, which happens to many at once. */
async function judged(
  watch: Promise<Timed> | undefined,
  { client }: Context,
  again: () => Promise<Timed>,
): Promise<Timed> {
  const first = await (watch ?? fail('the watch was not opened')).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
  const seen = first === undefined || first.end?.how === 'broken' ? await again() : first;
  client.adopt(seen.exchanges);
  return seen;
}

export const timePerformers = {
  boundedWatches: (subject: OperationSubject, context: Context) =>
    judged(batchOf(subject, context).bounded.get(subject.id), context, () =>
      timed(subject, seconds, context, (stream) => stream.ended(longest(context))),
    ),
  unboundedWatches: (subject: OperationSubject, context: Context) =>
    judged(batchOf(subject, context).unbounded, context, () =>
      timed(subject, 'none', context, (stream) => stream.ended(2 * seconds * 1000)),
    ),
};

type Performers = typeof timePerformers;

export const timeChecks = {
  bounded: ({ request, status, end }: Recorded<Performers['boundedWatches']>) => {
    equal(status, 200, `${request}: status`);
    if (end === undefined) fail(`${request}: it goes on after its time`);
    if (end.how !== 'complete') fail(`${request}: it is broken off${end.why === undefined ? '' : `: ${end.why}`}`);
    equal(end.rest.length, 0, `${request}: bytes after the last whole event`);
    if (end.at < seconds * 1000 - tolerance) fail(`${request}: it ends after ${end.at} ms`);
  },
  unbounded: ({ request, status, end }: Recorded<Performers['unboundedWatches']>) => {
    equal(status, 200, `${request}: status`);
    if (end !== undefined) fail(`${request}: it ends after ${end.at} ms, where no time was asked for`);
  },
};
