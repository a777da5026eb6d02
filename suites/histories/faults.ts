// Servers that are right about each request alone, and wrong about several at once.
import { itemsOf } from '../client/json.js';
import { fault, faultsOf, type WireEvent } from '../testing/faults/wire/fault.js';
import { all, drop, lagging, set } from '../testing/faults/wire/objects.js';
import { replace, shown } from '../testing/faults/wire/replies.js';
import { answer, every, failure, ignore, not, query, sent, swallow } from '../testing/faults/wire/requests.js';
import { events, leaveOut } from '../testing/faults/wire/watches.js';
import {
  asBefore,
  claims,
  createsOver,
  findsEvery,
  forgetsCreates,
  generates,
  hasOtherClients,
  listsBefore,
  listsLaterThanSaid,
  listsRemoved,
  listsTwoMoments,
  losesBursts,
  losesPatches,
  pagesOfTwoMoments,
  readsLate,
  readsOldAfterRefusals,
  readsOther,
  readsRefusedWrites,
  refusesEvery,
  remembers,
  resumed,
  selected,
  sparesOne,
  toObject,
  versionsGoBack,
} from './brokenServers.js';

const maps = 'GET …/configmaps';
const deployments = 'GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments';
const watches = /\/watch\/|[?&]watch=true/;
/** Lists of any version, as the caches of servers answer them. */
const cached = /^GET .*\/configmaps\?(.*&)?resourceVersion=0(&|$)/;
const isModified = ({ type }: WireEvent): boolean => type === 'MODIFIED';
const isAdded = ({ type }: WireEvent): boolean => type === 'ADDED';

export const faults = faultsOf('histories', [
  // the order
  fault('tells a change twice, to every watcher', `order › ${maps}`, [
    events(every, (event) => (event.type === 'MODIFIED' ? [event, event] : event)),
  ]),
  fault('tells of an object again after its removal', `order › ${maps}`, [
    events(every, (event) => (event.type === 'DELETED' ? [event, { ...event, type: 'ADDED' }] : event)),
  ]),
  fault('answers a create of a name that is in use with success', `order › ${maps}`, [replace('POST', 409, claims)]),
  fault('answers a create with the object that it generated a name for before', `order › ${maps}`, [generates('GET')]),
  fault('ignores the preconditions of a delete among writes', `order › ${maps}`, [sent('DELETE', drop('preconditions'))]),
  fault('removes what the second part of a selector leaves out', `order › ${maps}`, [
    query(/^DELETE /, (given) => given.set('labelSelector', (given.get('labelSelector') ?? '').replace(/,.*/, ''))),
  ]),
  fault('gives a new object the version of the one of its name before', `order › ${maps}`, [versionsGoBack()]),
  fault('tells everything again, whatever version a watch goes on from', `order › ${maps}`, [ignore(watches, 'resourceVersion')]),
  fault('lists an older state than its version says', `lists › ${maps}`, [shown(/^GET .*\/configmaps(\?|$)/, lagging('items'))]),
  fault('lists of any version what there was before the history', ` in histories.lists › ${maps}`, [
    shown(cached, all(set('items', []), set('metadata.resourceVersion', '1'))),
  ]),
  fault('lists nothing where any version will do', `lists › ${maps}`, [shown(cached, set('items', []))]),
  fault('tells two events in the wrong order', `order › ${maps}`, [
    events(every, (event, past) => (past.length === 2 ? undefined : past.length === 3 ? [event, past[2]] : event)),
  ]),
  fault('leaves out a change that another one follows', `order › ${maps}`, [
    events(every, (event, past) => ([...past, event].filter(isModified).length === 2 && isModified(event) ? undefined : event)),
  ]),
  fault('says that a list is older than what it shows', `order › ${maps}`, [listsLaterThanSaid]),
  fault('acknowledges creates and forgets some', `order › ${maps}`, [forgetsCreates(4)]),
  // the effects
  fault('mixes two states of an object in an event', `effects › ${maps}`, [asBefore('MODIFIED', 'object.metadata.annotations')]),
  fault('leaves one object of a collection that it deletes', `effects › ${maps}`, [sparesOne()]),
  fault('acknowledges deletes and forgets them', `effects › ${maps}`, [swallow('DELETE')]),
  fault('writes the spec with the status', `effects › ${deployments}`, [toObject('status', () => ({ spec: { paused: true } }))]),
  fault('drops the annotations of what it patches', `effects › ${maps}`, [sent('PATCH', drop('metadata.annotations'))]),
  fault('loses one of two patches at once', `effects › ${maps}`, [losesPatches()]),
  // conflicts
  fault('lets a replace with an old version win', `conflicts › ${maps}`, [sent(/^PUT/, drop('metadata.resourceVersion', 'metadata.uid'))]),
  fault('creates over an object of the same name', `conflicts › ${maps}`, [createsOver()]),
  fault('writes over an object where it generates a name', `conflicts › ${maps}`, [generates('PUT')]),
  fault('refuses a replace with the current version', `conflicts › ${maps}`, [answer('PUT', failure(409, 'Conflict'))]),
  fault('stores writes that it refuses', `failed-writes › ${maps}`, [replace('PATCH', 200, 422)]),
  fault('gives up on a create that it has stored', `failed-writes › ${maps}`, [refusesEvery(3)]),
  // reads and lists
  fault('reads from a cache that is one write behind', `reads › ${maps}`, [readsLate()]),
  fault('does not find every second object that is read', `reads › ${maps}`, [findsEvery(2)]),
  fault('reads the object of that name in another namespace', `reads › ${maps}`, [readsOther()]),
  fault('reads what was before the last write, once a write was refused', `reads › ${maps}`, [readsOldAfterRefusals()]),
  fault('shows readers a write that it refuses', `reads › ${maps}`, [readsRefusedWrites()]),
  fault('lists objects that are removed', `lists › ${maps}`, [listsRemoved()]),
  fault('shows later pages as they are by then', `pages › ${maps}`, [pagesOfTwoMoments()]),
  fault('lists one object as it was before', `lists › ${maps}`, [listsTwoMoments()]),
  fault('answers a list with the list before it', `lists › ${maps}`, [listsBefore()]),
  fault('shows every later page without its first object', `pages › ${maps}`, [
    shown(/[?&]continue=/, (body) => ({ ...body, items: itemsOf(body).slice(1) })),
  ]),
  fault('shows the first page once more', `pages › ${maps}`, [
    shown(/[?&]limit=1(?!.*continue)/, (body) => ({ ...body, items: [...itemsOf(body), ...itemsOf(body)] })),
  ]),
  fault('lists the present for an earlier version', `exact-lists › ${maps}`, [
    query(/resourceVersionMatch=Exact/, (given) => {
      given.delete('resourceVersion');
      given.delete('resourceVersionMatch');
    }),
  ]),
  // watches
  fault('skips an event where a watch goes on', `watches › ${maps}`, [resumed(() => [])]),
  fault('repeats an event where a watch goes on', `watches › ${maps}`, [resumed((event) => [event, event])]),
  fault('does not tell selecting watchers what leaves', `selected-watches › ${maps}`, [leaveOut(selected, 'DELETED')]),
  fault('ignores the selector of watches from earlier versions', `selected-watches › ${maps}`, [
    ignore([/watch=true/, selected], 'labelSelector'),
  ]),
  fault('tells a watch without a version nothing of what was there', `watches › ${maps}`, [
    events([watches, not(/resourceVersion=/)], (event, past) => ([...past, event].every(isAdded) ? undefined : event)),
  ]),
  fault('skips the changes for watches of all namespaces', `watches › ${maps}`, [leaveOut(/\/v1\/configmaps\?/, 'MODIFIED')]),
  fault('watches from now on the watch prefix', `watches › ${deployments}`, [ignore(/\/watch\/.*\/deployments\?/, 'resourceVersion')]),
  fault('tells watches of one object only its beginning and its end', `watches › ${deployments}`, [
    leaveOut(/\/watch\/.*\/deployments\/[^?]/, 'MODIFIED'),
  ]),
  fault('has a hundred events of other clients between two events', ` in watches › ${maps}`, [hasOtherClients()]),
  fault('loses events while more than five writes are under way', `burst › ${maps}`, [losesBursts()]),
  fault('tells one event of a burst twice', `burst › ${maps}`, [
    events(every, (event, past) => (past.length === 200 ? [event, event] : event)),
  ]),
  fault('leaves out in silence what is older than 200 events', `burst › ${maps}`, [remembers(200)]),
  fault('loses one event of hundreds', `burst › ${maps}`, [events(every, (event, past) => (past.length === 250 ? undefined : event))]),
]);
