// Servers whose lists have wrong objects or a wrong form.
import { isObject, type JsonObject } from '../client/json.js';
import { readYaml } from '../client/yaml.js';
import { type Broken, fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { refusesBeside, showsMore } from '../testing/faults/wire/neighbours.js';
import { all, drop, emptied, inEach, items, parsed, replacing, set, text, twice, valueAt, where } from '../testing/faults/wire/objects.js';
import { listed, shown, shownText } from '../testing/faults/wire/replies.js';
import { editedJson, every, refuse, reroute } from '../testing/faults/wire/requests.js';

const nameIn = (object: JsonObject) => valueAt(object, 'metadata.name');
const folderOf = (path: string): string => path.replace(/[^/]*$/, '');
const configMaps = 'GET …/configmaps';
const oneOfEachName = items((all) => [...new Map(all.map((item) => [valueAt(item, 'metadata.name'), item])).values()]);

export const faults = faultsOfEveryKind('list', [
  fault('lists every namespace when asked for one', 'create.absent-namespace delete.effect-list empty scope in /configmaps', [
    reroute('GET', /\/namespaces\/[^/]+(?=\/configmaps(\?|$))/, ''),
  ]),
  fault('puts the type into every item', 'items-untyped in list.*/configmaps', [
    shown(every, inEach('items', all(set('kind', 'X'), set('apiVersion', 'v1')))),
  ]),
  fault('leaves the spec of the items of a list out of YAML', 'content in list.content*/services', [
    shownText('GET', (body) => JSON.stringify(drop('items.*.spec')(Object(readYaml(body)))), /yaml/),
  ]),
  fault('lists without a resourceVersion', 'empty resource-version in list.*/configmaps', [listed(set('metadata', {}))]),
  fault('lists items without their versions', 'resource-version in list.resource-version*/configmaps', [
    listed(drop('items.*.metadata.resourceVersion')),
  ]),
  fault('lists items at a version that they never had', 'resource-version in list.resource-version*/configmaps', [
    listed(inEach('items', text('metadata.resourceVersion', replacing(/$/, '0')))),
  ]),
  fault('lists new items at an old version', 'resource-version in list.resource-version*/configmaps', [
    listed(set('metadata.resourceVersion', '1')),
  ]),
  fault('knows objects by their names alone when it lists all', 'scope › GET /api/v1/configmaps', [shown(every, oneOfEachName)]),
  fault('lists the namespaces whose names begin with the one asked for', `scope › ${configMaps}`, [
    showsMore('configmaps', (shown, asked) => shown.startsWith(asked), 'lists'),
  ]),
  fault('lists the namespaces with which the name asked for begins', `scope › ${configMaps}`, [
    showsMore('configmaps', (shown, asked) => asked.startsWith(shown), 'lists'),
  ]),
  fault('lists the objects of another kind too', 'scope › GET …/endpoints', [withConfigMaps()]),
  fault('refuses a name that another namespace has', `scope same-name in list.*/configmaps`, [
    refusesBeside(/\/configmaps$/, 409, (wanted, made) => nameIn(wanted.object) === nameIn(made.object)),
  ]),
  fault('refuses a name that another kind has', 'scope › GET …/endpoints', [
    refusesBeside(/\/(configmaps|endpoints)$/, 409, (wanted, made) => {
      const isSameKind = wanted.path === made.path;
      return !isSameKind && nameIn(wanted.object) === nameIn(made.object) && folderOf(wanted.path) === folderOf(made.path);
    }),
  ]),
  fault('shows a change of an object in its namesakes', `same-name › ${configMaps}`, [knowsByName()]),
  fault('lists no namespace that does not exist', `empty › ${configMaps}`, [refuse(/\/namespaces\/[^/]+-\d+\/configmaps$/, 404)]),
  fault('lists nothing as null', `empty › ${configMaps}`, [listed(where('items.0', undefined, set('items', null)))]),
  fault(
    'lists every object twice',
    `contains same-name scope deleteCollection.selected-listed create.effect-list create.large create.name-length create.name-words replace.effect-list create.taken-name replace.name-mismatch replace.other-uid replace.stale
     responses.clauses responses.long-query
     responses.query responses.repeated-parameter responses.views in /configmaps`,
    [listed(twice)],
  ),
  fault('lists no object while others write', `contains content in list.*on* › ${configMaps}`, [busyAndEmpty()]),
  fault('lists items without their data', 'content in list.content', [shown(every, drop('items.*.spec'))]),
  fault('lists components without their names', 'component-statuses', [shown('GET ComponentStatusList', drop('items.*.metadata.name'))]),
]);

/** Shows lists without items, each at another version. */
function busyAndEmpty(): Broken {
  let version = 1_000_000;
  return listed((list) => {
    version += 1;
    return set('metadata.resourceVersion', String(version))(emptied(list));
  });
}

/** Adds the config maps that were created to each list. */
function withConfigMaps(): Broken {
  const others: JsonObject[] = [];
  return {
    reply: (reply, request) => {
      if (request.method === 'POST' && /\/configmaps$/.test(request.path)) others.push(parsed(reply.body));
      return request.method === 'GET'
        ? {
            ...reply,
            body: editedJson(
              reply.body,
              items((all) => [...all, ...others]),
            ),
          }
        : reply;
    },
  };
}

/** Shows the last labels that an object of a name was given, in each namespace. */
function knowsByName(): Broken {
  const labels = new Map<string, JsonObject>();
  return {
    reply: (reply, request) => {
      const object = parsed(reply.body);
      const name = String(valueAt(object, 'metadata.name'));
      const given = valueAt(object, 'metadata.labels');
      if (request.method === 'PUT' && isObject(given)) labels.set(name, given);
      const known = labels.get(name);
      const isRead = request.method === 'GET' && known !== undefined;
      return isRead ? { ...reply, body: JSON.stringify(set('metadata.labels', known)(object)) } : reply;
    },
  };
}
