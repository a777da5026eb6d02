// Watches of collections and single objects.

import { firstOf } from '../../matrix/api/signals.js';
import { verbNotSupported } from '../errors.js';
import { type ApiRequest, resourceOf } from '../request.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import type { Storage } from '../storage/storage.js';
import { kindConversionOf } from '../versions/kindConversions.js';
import { defaultTiming } from '../watch/bookmarks.js';
import { WatchCache } from '../watch/cache.js';
import { watchOptionsOf } from '../watch/options.js';
import type { WatchSink } from '../watch/sink.js';
import { runWatch } from '../watch/watcher.js';
import { type Dependencies, type MakeHandler, storageOf, withExceptions } from './context.js';

/** A watch of a collection, or of one object if the path has a name. */
const watchObjects: MakeHandler = (dependencies) => (request) => {
  const { query, path, signal } = request;
  const { bookmarkTiming: timing = defaultTiming, bookmarks = true, minor, onEvents } = dependencies;
  const resource = resourceOf(request);
  const cache = cacheOf(request, dependencies);
  const asked = watchOptionsOf(resource, path, query, minor);
  const options = bookmarks ? asked : { ...asked, bookmarks };
  const ended = runTimeKindOf(resource)?.ended;
  const lifetime = ended === undefined ? signal : firstOf(signal, ended);
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

/** The caches of resources whose objects are converted from the version in which they are stored. */
const converting = new WeakMap<Storage, WatchCache>();

function cacheOf(request: ApiRequest, dependencies: Dependencies): WatchCache {
  const { watchCache } = dependencies;
  if (kindConversionOf(resourceOf(request)) === undefined) return watchCache;
  const storage = storageOf(request, dependencies);
  const cache = converting.get(storage) ?? new WatchCache(storage, watchCache.clock);
  converting.set(storage, cache);
  return cache;
}

/** ComponentStatuses are not stored, so they have no changes to watch. */
const refuse: MakeHandler = () => (request) => {
  throw verbNotSupported(resourceOf(request), 'watch');
};

export const watch = withExceptions(watchObjects, { 'core/componentstatuses': refuse });
