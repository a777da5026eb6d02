// Event of events.k8s.io/v1, stored as core v1. The versions have other names for the same fields.
import type { DecodedObject, KubeObject } from '../../../schema/object.js';
import type { Conversion } from '../../../versions/conversion.js';

/** The stored name of each field with another name in events.k8s.io/v1. */
const renamed: Readonly<Record<string, string>> = {
  note: 'message',
  regarding: 'involvedObject',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
};

const shown = Object.fromEntries(Object.entries(renamed).map(([view, stored]) => [stored, view]));

export const laterEvent: Conversion = {
  fromStorage: (stored) => withNames(stored, shown) as KubeObject,
  toStorage(object) {
    const event = withNames(object, renamed) as DecodedObject;
    // In core v1 these fields are never absent.
    return { ...event, involvedObject: event.involvedObject ?? {}, source: event.source ?? {} };
  },
};

function withNames(event: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [names[name] ?? name, value]));
}
