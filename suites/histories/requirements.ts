// Random concurrent histories, held against a model: what no single request can show.
import type { Chapter } from '../requirements/types.js';

const operations =
  'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations';

export const histories = {
  order: {
    level: 'required',
    rule: '12.5',
    text: 'A watch shows each acknowledged write of concurrent clients exactly once, in an order that respects real time, and nothing that nobody wrote.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'histories',
    breaks: 'A controller acts on a state that never was, or never learns of one that is.',
  },
  effects: {
    level: 'required',
    rule: '7.6',
    text: 'Among concurrent writes each makes of its object what it says, and changes nothing else.',
    words: operations,
    subjects: 'histories',
    breaks: 'A write of one client undoes what another client wrote, or is lost.',
  },
  conflicts: {
    level: 'recommended',
    rule: '7.7',
    text: 'Of concurrent writes with one version one succeeds, and a write is refused with 409 or 404 only if the state of its object demands it.',
    subjects: 'histories',
    breaks: 'Two writers who read the same version overwrite each other silently.',
  },
  'failed-writes': {
    level: 'recommended',
    rule: '7.7',
    text: 'A write that is refused has no effect, whatever other clients write meanwhile.',
    subjects: 'histories',
    breaks: 'A client writes again what has happened already.',
  },
  reads: {
    level: 'required',
    rule: '7.3',
    text: 'A read shows a state that was current while it was under way, never one older than a write that was acknowledged before.',
    words: operations,
    subjects: 'histories',
    breaks: 'A client does not find what it has just written.',
  },
  lists: {
    level: 'required',
    rule: '7.1',
    text: 'A list shows one moment while it was under way, whatever other clients write meanwhile.',
    words: operations,
    subjects: 'histories',
    breaks: 'A controller starts from a mixture of states that never existed.',
  },
  pages: {
    level: 'recommended',
    rule: '5.8',
    text: 'All pages of a list show one moment, whatever other clients write meanwhile.',
    subjects: 'histories',
    feature: 'limit',
    breaks: 'A client that reads page by page misses objects or handles some twice.',
  },
  'exact-lists': {
    level: 'recommended',
    rule: '5.4',
    text: 'A list with resourceVersionMatch=Exact shows the state after the write of that version, among concurrent writes too.',
    subjects: 'histories',
    feature: 'resource-version-match',
    breaks: 'A client that compares two lists of one version compares different states.',
  },
  watches: {
    level: 'required',
    rule: '12.4',
    text: 'A watch on any path, from any earlier version or from the beginning, cut and resumed anywhere, shows exactly the changes after that, each as the first watch showed it.',
    words: 'A watch begins after resourceVersion when given, otherwise at the beginning of history',
    subjects: 'histories',
    breaks: 'After a network failure a client loses events or handles some twice.',
  },
  'selected-watches': {
    level: 'recommended',
    rule: '12.7',
    text: 'A watch with a selector from any earlier version shows each object that enters, changes in or leaves the selection, among concurrent writes.',
    subjects: 'histories',
    breaks: 'A cache of selected objects keeps some that no longer match.',
  },
  burst: {
    level: 'required',
    rule: '12.5',
    text: 'A watch loses none of 300 writes, 30 at a time, and repeats none, also one from before them that begins after them.',
    words: 'with watch, shows changes after that version',
    subjects: 'historyBursts',
    breaks: 'A controller misses changes under load, exactly when it is needed.',
  },
} as const satisfies Chapter;
