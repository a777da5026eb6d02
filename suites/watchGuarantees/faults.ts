// Servers that break a guarantee of a watch while other clients write, one guarantee each.

import { type Broken, conformant, fault, faultsOf, type WireEvent } from '../testing/faults/wire/fault.js';
import { lagging, set, valueAt } from '../testing/faults/wire/objects.js';
import { shown } from '../testing/faults/wire/replies.js';
import { answer, every, ignore, not, ok } from '../testing/faults/wire/requests.js';
import { events, leaveOut, line } from '../testing/faults/wire/watches.js';

const maps = 'GET …/configmaps';
const watches = /[?&]watch=true/;
const isOf = (type: string) => (event: WireEvent) => event.type === type;
/** The events of a type have the value of a field that the event of the object before had. */
const asBefore = (type: string, field: string): Broken =>
  events(every, (event, past) => {
    const before = past.findLast(({ object }) => valueAt(object, 'metadata.name') === valueAt(event.object, 'metadata.name'));
    const value = valueAt(before, field);
    return event.type === type && value !== undefined ? set(field, value)({ ...event }) : event;
  });

export const faults = faultsOf(`watchGuarantees › ${maps}`, [
  fault('tells everything again, whatever version a watch goes on from', 'from-version', [ignore(watches, 'resourceVersion')]),
  fault('lists an older state than its version says', 'list-then-watch', [shown(/^GET .*\/configmaps(\?|$)/, lagging('items'))]),
  fault('tells a watch without a version nothing of what was there', 'from-beginning', [
    events(not(/resourceVersion=/), (event, past) => ([...past, event].every(isOf('ADDED')) ? undefined : event)),
  ]),
  fault('tells removals with the version of the change before', `ordered in ${maps}`, [
    conformant,
    asBefore('DELETED', 'object.metadata.resourceVersion'),
  ]),
  fault('tells two events in the wrong order', 'ordered', [
    events(every, (event, past) => (past.length === 2 ? undefined : past.length === 3 ? [event, past[2]] : event)),
  ]),
  fault('tells a change twice', 'unique', [events(every, (event) => (isOf('MODIFIED')(event) ? [event, event] : event))]),
  fault('leaves out a change that another one follows', 'reliable', [
    events(every, (event, past) => ([...past, event].filter(isOf('MODIFIED')).length === 2 && isOf('MODIFIED')(event) ? undefined : event)),
  ]),
  fault('loses the events of a burst after the tenth', 'burst › GET …/configmaps', [losesBursts()]),
  fault('tells one event of a burst twice', 'burst › GET …/configmaps', [
    events(every, (event, past) => (past.length === 200 ? [event, event] : event)),
  ]),
  fault('mixes two states of an object in an event', 'atomic', [asBefore('MODIFIED', 'object.metadata.annotations')]),
  fault('skips a change where a watch goes on', 'resumable', [events(every, (event, past) => (past[0] ? event : undefined))]),
  fault('has hundreds of events of other clients between two events', ` in resumable › ${maps}`, [hasOtherClients()]),
  fault('ignores the selector of a watch', 'filtered', [ignore(watches, 'labelSelector')]),
  fault('forgets an object that leaves the selection', 'filtered', [leaveOut(every, 'DELETED')]),
  fault('does not end a watch when its time is over', 'bounded', [ignore(watches, 'timeoutSeconds')]),
  fault('breaks a watch off in the middle of an event when its time is over', 'bounded', [
    { watch: () => (event) => [event === undefined ? '{"type":"ADDED","obj' : line(event)] },
  ]),
  fault('ends a watch that asked for no time at once', 'unbounded › GET /api/v1/', [
    answer([/\/watch\//, not(/timeoutSeconds/)], { ...ok(), body: '' }),
  ]),
  fault('tells one watcher at a time', 'slow-reader › ', [tellsOne()]),
]);

/** A thousand versions for each of the good server, of which other clients write four hundred. */
function hasOtherClients(): Broken {
  const [versions, others] = [1000, 400];
  const asked = /(?<=resourceVersion=)\d+/;
  return {
    request: (given) => ({
      ...given,
      path: given.path.replace(asked, (version) => String(Math.floor(Number(version) / versions))),
    }),
    reply: (reply) => ({ ...reply, body: reply.body.replace(/(?<="resourceVersion":"\d+)(?=")/g, '000') }),
    watch: ({ path }) => {
      const from = Number(asked.exec(path)?.[0] ?? 0);
      return (event) => {
        if (event === undefined) return [];
        const last = Number(valueAt(event.object, 'metadata.resourceVersion')) * versions;
        const told = Array.from({ length: others }, (_, index) => last - others + 1 + index).filter((version) => version > from);
        return told.map((version) => {
          const own = set('object.metadata.resourceVersion', String(version))({ ...event });
          return line(version === last ? own : set('object.metadata.name', `other-${version}`)({ ...own, type: 'MODIFIED' }));
        });
      };
    },
  };
}

/** The first watch gets events, and all other watches get none. */
function tellsOne(): Broken {
  let watchers = 0;
  return {
    watch: () => {
      watchers += 1;
      const waits = watchers > 1;
      return (event) => (waits ? new Promise(() => {}) : [line(event)]);
    },
  };
}

/** Loses the events from the eleventh on while they come less than 50 ms apart. */
function losesBursts(): Broken {
  return {
    watch: () => {
      let [last, count] = [0, 0];
      return (event) => {
        const now = performance.now();
        count = now - last < 50 ? count + 1 : 1;
        last = now;
        return event === undefined || count > 10 ? [] : [line(event)];
      };
    },
  };
}
