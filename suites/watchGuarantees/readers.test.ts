import { expect, it } from 'vitest';
import type { WatchEvent } from '../client/streams/watches.js';
import { isComplete, writesAfterFirstEvent } from './readers.js';
import type { AcknowledgedWrite } from './writers.js';

const event = (type: string, name: string, version: string): WatchEvent =>
  ({ type, name, version, object: {} }) as WatchEvent;
const write = (what: AcknowledgedWrite['what'], name: string, version?: string): AcknowledgedWrite =>
  ({ what, name, version, step: '1', sent: 0, acknowledged: 0 }) as AcknowledgedWrite;

it('a watch that begins before the last delete is complete when its event has arrived', () => {
  const writes = [write('change', 'stays', '7'), write('create', 'goes', '8'), write('delete', 'goes')];
  const final = new Map([['stays', '7']]);
  // The first event alone already leads to the list after the writes.
  const first = [event('ADDED', 'stays', '7'), event('ADDED', 'goes', '8')];
  const seen = (events: readonly WatchEvent[]) => {
    return { start: new Map(), events, final, expected: writesAfterFirstEvent({ writes, events }) };
  };
  expect(isComplete(seen(first))).toBe(false);
  expect(isComplete(seen([...first, event('DELETED', 'goes', '9')]))).toBe(true);
});
