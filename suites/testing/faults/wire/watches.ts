// Edits of watches: events are changed, dropped, repeated or delayed.
import type { Broken, WireEvent } from './fault.js';
import { type Edit, set, where } from './objects.js';
import { matches, type Requests } from './requests.js';

/** Returns an event as a line; empty for no event. */
export const line = (event: object | undefined): string => (event === undefined ? '' : `${JSON.stringify(event)}\n`);

/** Turns an event into another event, into several, or into none. `past` has the events of the watch before this one. */
type ChangeEach = (event: WireEvent, past: readonly WireEvent[]) => object | undefined;

/** Changes each event of the watches of these requests. */
export const events = (which: Requests, change: ChangeEach): Broken => ({
  watch: (request) => {
    const past: WireEvent[] = [];
    return (event) => {
      if (event === undefined) return [];
      const changed = matches(which, request) ? change(event, past) : event;
      past.push(event);
      return [changed ?? []].flat().map(line);
    };
  },
});

/** Edits events: their `type`, and the fields of their `object`. */
export const told = (which: Requests, edit: Edit): Broken => events(which, (event) => edit({ ...event }));
/** Changes the type of events. */
export const retype = (from: string, to: string): Broken => told(/^/, where('type', from, set('type', to)));
/** Drops the events of a type. */
export const leaveOut = (which: Requests, type: string): Broken =>
  events(which, (event) => (event.type === type ? undefined : event));
