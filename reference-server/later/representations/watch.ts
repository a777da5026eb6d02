// The events of a watch in the representation that the client asked for.
import type { ApiObject } from '../../codecs/codec.js';
import type { KubeObject } from '../../schema/object.js';
import { encodable } from '../../versions/views.js';
import type { WatchEvent, WatchStream } from '../../watch/sink.js';
import { type Form, objectOf } from './represent.js';
import { partialOf, type TableForm, tableOfOne } from './table.js';

/** Returns a watch with the same events in another representation. The event of an error stays as it is. */
export function representWatch(watch: WatchStream, form: Form): WatchStream {
  return 'table' in form ? tableWatch(watch, form.table) : partialWatch(watch, form.partial.apiVersion);
}

/**
 * Each event has a table with one row. Only the first one defines the columns, so tables are made for each watch; their
 * ages differ in any case.
 */
function tableWatch(watch: WatchStream, form: TableForm): WatchStream {
  return (sink) => {
    let definitions: TableForm['columns']['definitions'] | null = form.columns.definitions;
    const shown = (event: WatchEvent): WatchEvent =>
      withObject(event, (object) => {
        const table = tableOfOne(form, object, definitions);
        definitions = null;
        return table;
      });
    return watch({ write: (events) => sink.write(events.map(shown)), drained: () => sink.drained() });
  };
}

type Events = readonly WatchEvent[];

/** The events of metadata by their version and the events that they are made of. */
const partials = new Map<string, WeakMap<Events, Events>>();

/** Watches of metadata share their events, and so the bytes of these, as all watches do. */
function partialWatch(watch: WatchStream, apiVersion: string): WatchStream {
  const known = partials.get(apiVersion) ?? new WeakMap<Events, Events>();
  partials.set(apiVersion, known);
  const shown = (events: Events): Events => {
    const made =
      known.get(events) ?? events.map((event) => withObject(event, (object) => partialOf(object, apiVersion)));
    known.set(events, made);
    return made;
  };
  return (sink) => watch({ write: (events) => sink.write(shown(events)), drained: () => sink.drained() });
}

function withObject(event: WatchEvent, make: (object: KubeObject) => ApiObject): WatchEvent {
  const object = objectOf(event.object);
  return object === undefined ? event : { ...event, object: encodable(make(object)) };
}
