// The guarantees of a watch, checked on the observations of readers during concurrent writes.
import { equal, fail } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import type { WatchEvent } from '../client/streams/watches.js';
import type { Recorded } from '../run/group.js';
import type { observeConcurrentWriters } from './observations.js';
import { folded, leadsTo, missingWrites, type Observation } from './readers.js';
import { type AcknowledgedWrite, sideOf, stepsOf } from './writers.js';

type Observed = Recorded<typeof observeConcurrentWriters>;

/** Returns an event in words. */
const told = ({ type, name, version }: WatchEvent): string => `${String(type)} ${name} at ${version}`;
const written = ({ what, name, step, version }: AcknowledgedWrite): string =>
  `the ${what} of ${name} in step ${step}${version === undefined ? '' : ` at ${version}`}`;

function began({ request, status }: Observation): void {
  equal(status, 200, `${request}: status`);
}

function missesNothing(seen: Observation): void {
  began(seen);
  const [first, ...others] = missingWrites(seen);
  if (first === undefined) return;
  fail(
    `${seen.request}: no event tells of ${written(first)}${others.length > 0 ? `, nor of ${others.length} others` : ''}`,
  );
}

function saysNothingTwice({ request, events }: Observation): void {
  const known = new Set<string>();
  for (const event of events) {
    if (known.has(told(event))) fail(`${request}: told twice: ${told(event)}`);
    known.add(told(event));
  }
}

function addsUp(seen: Observation): void {
  began(seen);
  if (leadsTo(seen)) return;
  const state = (versions: Observation['final']): string => brief(Object.fromEntries(versions));
  fail(
    `${seen.request}: from ${state(seen.start)} the ${seen.events.length} events never lead to ${state(seen.final)}, which is listed`,
  );
}

/** Throws Failure unless only absent objects are added, and only existing objects are modified or deleted. */
function fitsTogether({ request, start, events }: Observation): void {
  const states = folded(start, events);
  for (const event of events) {
    const there = states.next().value?.has(event.name) ?? false;
    if (there !== (event.type !== 'ADDED'))
      fail(`${request}: it is ${there ? '' : 'not '}there already: ${told(event)}`);
  }
}

/** Returns the index in the stream for each write with an event. */
function placesOf({ events, expected }: Observation): readonly (readonly [AcknowledgedWrite, number])[] {
  return expected.flatMap((write) => {
    if (write.version === undefined) return [];
    const place = events.findIndex(({ name, version }) => name === write.name && version === write.version);
    return place === -1 ? [] : [[write, place] as const];
  });
}

function inOrder(seen: Observation): void {
  const { request, events } = seen;
  const places = placesOf(seen);
  for (const [earlier, place] of places) {
    const late = places.find(([later, other]) => earlier.acknowledged < later.sent && other < place);
    if (late) fail(`${request}: ${written(late[0])} is told before ${written(earlier)}, which was done before`);
  }
  const numbers = events.map(({ version }) => (/^\d+$/.test(version) ? BigInt(version) : undefined));
  const back = numbers.findIndex((number, index) => {
    const before = numbers[index - 1];
    return number !== undefined && before !== undefined && number < before;
  });
  if (back !== -1)
    fail(
      `${request}: the version goes back: ${events
        .slice(back - 1, back + 1)
        .map(told)
        .join(', then ')}`,
    );
}

function isWhole({ request, events, expected }: Observation): void {
  const steps = new Map(expected.map(({ name, version, step }) => [`${name} ${version}`, step]));
  for (const event of events) {
    const [label, annotation] = stepsOf(event.object);
    if (label !== annotation) {
      fail(`${request}: ${told(event)}: a mixture of two states: steps ${brief(label)} and ${brief(annotation)}`);
    }
    const step = event.type === 'DELETED' ? undefined : steps.get(`${event.name} ${event.version}`);
    if (step !== undefined) equal(label, step, `${request}: ${told(event)}: its step`);
  }
}

const types = { create: 'ADDED', change: 'MODIFIED', delete: 'DELETED' } as const;

function seesItsSide(seen: Observation): void {
  missesNothing(seen);
  addsUp(seen);
  const { request, events, expected } = seen;
  const versions = new Set(expected.map(({ version }) => version));
  for (const name of new Set(expected.map((write) => write.name))) {
    const own = events.filter((event) => event.name === name);
    // Changes by a controller in between are not steps of the writers.
    const steps = own.filter(({ type, version }) => type === 'DELETED' || versions.has(version));
    const wanted = expected.filter((write) => write.name === name).map(({ what }) => types[what]);
    equal(brief(steps.map(({ type }) => type)), brief(wanted), `${request}: the types of the events about ${name}`);
  }
  const foreign = events.find(({ type, object }) => type !== 'DELETED' && sideOf(object) !== 'left');
  if (foreign)
    fail(`${request}: it is not selected: ${told(foreign)}, ${brief(at(foreign.object, 'metadata', 'labels'))}`);
}

export const guarantees = {
  'from-version': ({ steady }: Observed) => {
    addsUp(steady);
    fitsTogether(steady);
  },
  'from-beginning': ({ beginning }: Observed) => {
    addsUp(beginning);
    fitsTogether(beginning);
    missesNothing(beginning);
  },
  ordered: ({ steady, relisted }: Observed) => {
    for (const seen of [steady, relisted]) {
      began(seen);
      inOrder(seen);
    }
  },
  unique: ({ steady, beginning, filtered }: Observed) => {
    for (const seen of [steady, beginning, filtered]) {
      began(seen);
      saysNothingTwice(seen);
    }
  },
  reliable: ({ steady }: Observed) => missesNothing(steady),
  atomic: ({ steady, beginning }: Observed) => {
    for (const seen of [steady, beginning]) {
      began(seen);
      isWhole(seen);
    }
  },
  resumable: ({ resumed }: Observed) => {
    missesNothing(resumed);
    addsUp(resumed);
    fitsTogether(resumed);
    saysNothingTwice(resumed);
  },
  'list-then-watch': ({ relisted }: Observed) => {
    missesNothing(relisted);
    addsUp(relisted);
    fitsTogether(relisted);
    saysNothingTwice(relisted);
  },
  filtered: ({ filtered }: Observed) => seesItsSide(filtered),
};
