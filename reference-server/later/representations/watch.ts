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

/** Each event has a table with one row. Only the first one of a watch defines the columns; the others are shared. */
function tableWatch(watch: WatchStream, form: TableForm): WatchStream {
  return (sink) => {
    let isFirst = true;
    const shown = (events: Events): Events => {
      const first = isFirst ? events.findIndex(({ object }) => objectOf(object) !== undefined) : -1;
      if (first === -1) return sharedTables(events, form);
      isFirst = false;
      return events.map((event, index) => tableEvent(event, form, index === first ? form.columns.definitions : null));
    };
    return watch({ write: (events) => sink.write(shown(events)), drained: () => sink.drained() });
  };
}

const tableEvent = (event: WatchEvent, form: TableForm, definitions: TableForm['columns']['definitions'] | null) =>
  withObject(event, (object) => tableOfOne(form, object, definitions));

/** The tables of events in a form, and the second in which they were made: ages are those at a second. */
interface Tables {
  readonly second: number;
  readonly events: Events;
}

const tables = new WeakMap<TableForm['columns'], Map<string, WeakMap<Events, Tables>>>();

/** Watches of tables share their events, and so the bytes of these, within a second. */
function sharedTables(events: Events, form: TableForm): Events {
  const { columns, apiVersion, inclusion } = form;
  const second = Math.floor(form.now().getTime() / 1000);
  const forms = tables.get(columns) ?? new Map<string, WeakMap<Events, Tables>>();
  tables.set(columns, forms);
  const id = `${apiVersion} ${inclusion}`;
  const known = forms.get(id) ?? new WeakMap<Events, Tables>();
  forms.set(id, known);
  const shared = known.get(events);
  if (shared?.second === second) return shared.events;
  const made = events.map((event) => tableEvent(event, form, null));
  known.set(events, { second, events: made });
  return made;
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
