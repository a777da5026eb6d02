// Probes of watch features: bookmarks, and initial events.
import { at } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import { eventsOf, type WatchEvent, watching } from '../../client/streams/watches.js';
import { configMaps } from '../../objects/related.js';
import { lacks, newObject, offers, type Probe } from './probe.js';

/** Servers send a bookmark about two seconds before the timeout of a watch. */
const timeoutSeconds = 4;
const margin = 2_000;

const isBookmark = ({ type }: WatchEvent): boolean => type === 'BOOKMARK';

const bookmarks: Probe = async (asked) => {
  const { namespace, object } = await newObject(asked, configMaps);
  const query = {
    resourceVersion: String(at(object, 'metadata', 'resourceVersion') ?? ''),
    allowWatchBookmarks: true,
    timeoutSeconds,
  };
  return watching(asked.sandbox.client, pathTo(configMaps, 'list', namespace), query, async (stream) => {
    const hasBookmark = await stream.until(() => eventsOf(stream).some(isBookmark), timeoutSeconds * 1_000 + margin);
    if (hasBookmark) return offers('a watch sent a bookmark');
    // only a watch that stayed open until its timeout shows that the server sends none
    const isWhole = stream.status === 200 && stream.end?.how === 'complete';
    return isWhole ? lacks(`a watch of ${timeoutSeconds} s with allowWatchBookmarks=true sent no bookmark`) : undefined;
  });
};

const initialEvents: Probe = async (asked) => {
  const { name, namespace } = await newObject(asked, configMaps);
  const query = {
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    resourceVersionMatch: 'NotOlderThan',
    timeoutSeconds,
  };
  return watching(asked.sandbox.client, pathTo(configMaps, 'list', namespace), query, async (stream) => {
    if ([400, 422].includes(stream.status))
      return lacks(`a watch with sendInitialEvents=true returns ${stream.status}`);
    const hasBookmark = await stream.until(() => eventsOf(stream).some(isBookmark), timeoutSeconds * 1_000 + margin);
    if (hasBookmark) return offers('a watch with sendInitialEvents=true sent a bookmark');
    // the event shows that the watch works and that the server sends no bookmark
    const isAwake = eventsOf(stream).some((event) => event.name === name);
    return isAwake ? lacks('a watch with sendInitialEvents=true sent the object, but no bookmark') : undefined;
  });
};

export const watchProbes = { bookmarks, 'initial-events': initialEvents };
