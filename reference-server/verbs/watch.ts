// Watches of collections and single objects.

import { verbNotSupported } from '../errors.js';
import { resourceOf } from '../request.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import { defaultTiming } from '../watch/bookmarks.js';
import { watchOptionsOf } from '../watch/options.js';
import type { WatchSink } from '../watch/sink.js';
import { runWatch } from '../watch/watcher.js';
import { type MakeHandler, withExceptions } from './context.js';

/** A watch of a collection, or of one object if the path has a name. */
const watchObjects: MakeHandler = (dependencies) => (request) => {
  const { query, path, signal } = request;
  const { bookmarkTiming: timing = defaultTiming, bookmarks = true, watchCache: cache, onEvents } = dependencies;
  const resource = resourceOf(request);
  const asked = watchOptionsOf(resource, path, query);
  const options = bookmarks ? asked : { ...asked, bookmarks };
  const ended = runTimeKindOf(resource)?.ended;
  const lifetime = ended === undefined ? signal : AbortSignal.any([signal, ended]);
  const told = (sink: WatchSink): WatchSink =>
    onEvents === undefined
      ? sink
      : {
          write(events) {
            onEvents(resource, events.length);
            return sink.write(events);
          },
          drained: () => sink.drained(),
        };
  return { status: 200, watch: (sink) => runWatch({ cache, options, timing, signal: lifetime }, told(sink)) };
};

/** ComponentStatuses are not stored, so they have no changes to watch. */
const refuse: MakeHandler = () => (request) => {
  throw verbNotSupported(resourceOf(request), 'watch');
};

export const watch = withExceptions(watchObjects, { 'core/componentstatuses': refuse });
