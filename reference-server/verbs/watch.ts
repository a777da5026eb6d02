// Watches: the changes of what is selected, from a revision on, until the time is up.
import { verbNotSupported } from '../errors.js';
import { usualTiming } from '../watch/bookmarks.js';
import { watchOptionsOf } from '../watch/options.js';
import { runWatch } from '../watch/watcher.js';
import { type MakeHandler, resourceOf, storeOf, withExceptions } from './context.js';

/** A watch of a collection; of one object where the path names one. */
const watchObjects: MakeHandler = (dependencies) => (request) => {
  const { query, path, signal } = request;
  const { bookmarkTiming: timing = usualTiming } = dependencies;
  const store = storeOf(request, dependencies);
  const options = watchOptionsOf(store, path, query);
  return { status: 200, watch: (sink) => runWatch({ store, options, timing, signal }, sink) };
};

/** What is asked of the components themselves has no changes. */
const refuse: MakeHandler = () => (request) => {
  throw verbNotSupported(resourceOf(request), 'watch');
};

export const watch = withExceptions(watchObjects, { 'core/componentstatuses': refuse });
