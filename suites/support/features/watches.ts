// Probes of what a watch can be asked for: bookmarks, and all that is there to begin with.
import { at } from '../json.js';
import { configMaps } from '../related.js';
import { pathTo } from '../scope.js';
import { eventsOf, type WatchEvent, watching } from '../watching.js';
import { absent, newObject, type Probe, there } from './asked.js';

/** Servers bookmark a watch about two seconds before its timeout. */
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
  return watching(asked.scope.client, pathTo(configMaps, 'list', namespace), query, async (stream) => {
    const told = await stream.until(() => eventsOf(stream).some(isBookmark), timeoutSeconds * 1_000 + margin);
    if (told) return there('a watch told a bookmark');
    // only a watch that was held open to its end shows that it tells none
    const isWhole = stream.status === 200 && stream.end?.how === 'complete';
    return isWhole ? absent(`a watch of ${timeoutSeconds} s with allowWatchBookmarks=true told none`) : undefined;
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
  return watching(asked.scope.client, pathTo(configMaps, 'list', namespace), query, async (stream) => {
    if ([400, 422].includes(stream.status)) return absent(`a watch with sendInitialEvents=true is ${stream.status}`);
    const told = await stream.until(() => eventsOf(stream).some(isBookmark), timeoutSeconds * 1_000 + margin);
    if (told) return there('a watch with sendInitialEvents=true told a bookmark');
    // it is awake, and knows nothing of the bookmark
    const isAwake = eventsOf(stream).some((event) => event.name === name);
    return isAwake ? absent('a watch with sendInitialEvents=true told the object, and no bookmark') : undefined;
  });
};

export const watchProbes = { bookmarks, 'initial-events': initialEvents };
