// Watches of collections and single objects.

import { verbNotSupported } from '../errors.js';
import { resourceOf } from '../request.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import { defaultTiming } from '../watch/bookmarks.js';
import { watchOptionsOf } from '../watch/options.js';
import { runWatch } from '../watch/watcher.js';
import { type MakeHandler, withExceptions } from './context.js';

/** A watch of a collection, or of one object if the path has a name. */
const watchObjects: MakeHandler = (dependencies) => (request) => {
  const { query, path, signal } = request;
  const { bookmarkTiming: timing = defaultTiming, watchCache: cache } = dependencies;
  const resource = resourceOf(request);
  const options = watchOptionsOf(resource, path, query);
  const ended = runTimeKindOf(resource)?.ended;
  const lifetime = ended === undefined ? signal : AbortSignal.any([signal, ended]);
  return { status: 200, watch: (sink) => runWatch({ cache, options, timing, signal: lifetime }, sink) };
};

/** ComponentStatuses are not stored, so they have no changes to watch. */
const refuse: MakeHandler = () => (request) => {
  throw verbNotSupported(resourceOf(request), 'watch');
};

export const watch = withExceptions(watchObjects, { 'core/componentstatuses': refuse });
