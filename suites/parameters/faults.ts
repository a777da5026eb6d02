// Servers that read query parameters wrongly, or ignore them.
import { itemsOf, type Json } from '../client/json.js';
import { type Broken, composed, fault, faultsOf } from '../testing/faults/wire/fault.js';
import { change, drop, emptied, set, valueAt, where } from '../testing/faults/wire/objects.js';
import { errorText, replace, shown, shownText } from '../testing/faults/wire/replies.js';
import { answer, every, ignore, instead, not, ok, parameter, refuse, reply, reroute, some } from '../testing/faults/wire/requests.js';
import { events, told } from '../testing/faults/wire/watches.js';

const map = '…/configmaps';
const deployment = 'GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}';
const list = `GET ${map}`;
const read = `GET ${map}/{name}`;
const secrets = 'GET /api/v1/watch/namespaces/{namespace}/secrets';

const pretty = /[?&]pretty=true/;
const exported = /[?&]export=true/;
const anEvent = ok({ type: 'ADDED', object: {} });
const emptyList = ok({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [] });

export const faults = faultsOf(`parameters › ${list}`, [
  fault('does not know pretty', `pretty-true › ${read}`, [ignore('GET', 'pretty')]),
  fault('is pretty only when all is well', `pretty-error › ${read}`, [errorText(every, (body) => JSON.stringify(JSON.parse(body)))]),
  fault('is always pretty', `pretty-false › ${read}`, [shownText(every, (body) => JSON.stringify(JSON.parse(body), null, 2))]),
  fault('leaves out what is not pretty', `pretty-same-object › ${read}`, [shown(pretty, drop('data'))]),
  fault('refuses a watch that should be pretty', `pretty-watch › ${secrets}`, [refuse(pretty, 400)]),
  fault('leaves out of an event what is not pretty', `pretty-watch › ${secrets}`, [told(pretty, drop('object.data'))]),
  fault('takes every watch for true', 'watch-false', [answer(/[?&]watch=/, anEvent)]),
  fault('watches when it should delete', `delete-collection-never-watches › DELETE ${map}`, [answer(/^DELETE .*[?&]watch=/, anEvent)]),
  // The watch only serves to take three seconds.
  fault('lists for longer than it may', 'timeout-bounds-list', [reroute(/resourceVersion=\d{5}/, /\?.*/, '?watch=true&timeoutSeconds=3')]),
  fault('has a longest timeout', 'timeout-int32', [refuse(/[?&]timeoutSeconds=2147483647/, 400)]),
  fault('does not mind a timeout that is none', 'timeout-malformed', [ignore('GET', 'timeoutSeconds', /^\d{1,10}$/)]),
  fault('does not mind a version that is none', 'resource-version-malformed', [ignore('GET', 'resourceVersion', /^\d+$/)]),
  fault('knows no way to go on with an old token', 'continue-expired', [refuse(/[?&]continue=/, 410)]),
  // The token of the first page stands for all tokens that have not expired.
  fault('has forgotten a token and gives another', ` in parameters.continue-expired › ${list}`, [forgetful()]),
  fault('does not mind a limit that is none', 'limit-malformed', [ignore('GET', 'limit', /^\d{1,10}$/)]),
  fault('starts again with a token that it does not know', 'continue-malformed', [ignore('GET', 'continue')]),
  fault('lists what there was before', 'resource-version-not-older', [answer(/[?&]resourceVersion=[1-9]/, emptyList)]),
  fault('lists any version as version 0', 'resource-version-not-older', [
    shown(/[?&]resourceVersion=0(&|$)/, set('metadata.resourceVersion', '0')),
  ]),
  fault('does not wait for a version', 'resource-version-ahead', [ignore('GET', 'resourceVersion')]),
  fault('lists the newest version for any', 'resource-version-match', [ignore('GET', 'resourceVersion resourceVersionMatch')]),
  fault('does not know limit', 'limit-pages', [ignore('GET', 'limit')]),
  fault('lists nothing for the limit 0', 'limit-pages', [shown(/[?&]limit=0(&|$)/, emptied)]),
  ...['resourceVersion', 'continue'].map((name) =>
    fault(`refuses an empty ${name}`, 'limit-pages', [refuse(new RegExp(`[?&]${name}=(&|$)`), 400)]),
  ),
  fault('skips what is on the later pages', 'continue-complete', [shown(/[?&]continue=/, emptied)]),
  fault('skips what is on the later pages of everything', 'continue-complete', [shown([/[?&]continue=/, not(/labelSelector=./)], emptied)]),
  fault('says on the last page that more remains', 'continue-complete', [
    shown(/[?&]limit=/, where('metadata.continue', undefined, set('metadata.remainingItemCount', 3))),
  ]),
  fault('goes on after the last page', 'continue-complete', [goesOn()]),
  fault('continues after the name of the last object', 'continue-complete › GET /api/v1/configmaps', [continuesAfterName()]),
  fault('does not know export', `export-creatable export-strips-identity export-strips-namespace in › ${read}`, [ignore('GET', 'export')]),
  fault('exports the generation', `export-strips-generation › ${deployment}`, [shown(exported, set('metadata.generation', 1))]),
  fault('exports the status', `export-strips-status › ${deployment}`, [ignore('GET', 'export')]),
  fault('lists no components within a time', 'component-statuses › ', [shown(/[?&]timeoutSeconds/, emptied)]),
  fault('fails when components are to be watched', 'component-statuses-watched › ', [refuse(/[?&]watch=true/, 500)]),
  fault('exports nothing but the name', `export-keeps › ${read}`, [shown(exported, drop('data'))]),
  ...['annotations', 'ownerReferences', 'finalizers'].map((field) =>
    fault(`exports no ${field}`, `export-keeps › ${read}`, [shown(exported, drop(`metadata.${field}`))]),
  ),
  fault('does not know exact', `export-exact › ${read}`, [ignore('GET', 'exact')]),
  fault('exports the address of a service', 'export-assigned-fields › ', [parameter(/^GET .*[?&]export=/, 'exact', 'true')]),
  fault('exports whatever export says', `export-false › ${read}`, [parameter(/^GET .*[?&]export=/, 'export', 'true')]),
  fault('exports what is absent', `export-absent › ${read}`, [replace(every, 404, some('ConfigMap'))]),
  fault('deletes in another namespace', `namespace-selects › DELETE ${map}/{name}`, [reroute('DELETE', '-main/', '-other/')]),
  // The suite numbers its names, so the next name belongs to the other object.
  fault('deletes the object beside', `name-selects › DELETE ${map}/{name}`, [
    instead('DELETE', ({ path }) => ({ path: path.replace(/\d+$/, (count) => String(Number(count) + 1)) })),
  ]),
  fault('decodes a name twice', `path-decoded › ${read}`, [reroute(every, /%25/g, '%')]),
  fault('refuses what it does not know', `unknown-ignored › ${read}`, [refuse(/[?&]unknown=/, 400)]),
  fault('refuses a watch with a parameter that it does not know', 'unknown-ignored', [refuse([/[?&]watch=true/, /[?&]unknown=/], 400)]),
  fault('ignores dryRun=All', `dry-run › DELETE ${map}`, [ignore('DELETE', 'dryRun', /^N/)]),
  fault('takes the name of a create that is tried out', `dry-run › POST ${map}`, [ignore('POST', 'dryRun', /^N/)]),
  fault('does a patch that is tried out', `dry-run › PATCH ${map}/{name}`, [ignore('PATCH', 'dryRun', /^N/)]),
  fault('sends an event for a replace that is tried out', `dry-run › PUT ${map}/{name}`, [
    events(every, (event) => [drop('object.metadata.annotations')({ ...event }), event]),
  ]),
  fault('takes the address of a Service that is tried out', 'dry-run-claims › ', [ignore('POST', 'dryRun')]),
  fault('ignores a dryRun that it does not know', `dry-run › PUT ${map}/{name}`, [ignore('PUT', 'dryRun', /^All$/)]),
]);

/** Gives the last page a token for a page without objects, which has the same token. */
function goesOn(): Broken {
  const token = 'bm9uZQ';
  const empty = ok({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '1', continue: token }, items: [] });
  return composed([
    answer(/[?&]continue=bm9uZQ/, empty),
    shown(
      /[?&]limit=[12](&|$)/,
      change('metadata.continue', (given) => given ?? token),
    ),
  ]);
}

/** Sorts the objects of all namespaces by their names, and leaves out those of the last name of the page before. */
function continuesAfterName(): Broken {
  const names = new Map<unknown, Json | undefined>();
  return shown(/[?&]limit=1(&|$)/, (body) => {
    const [item] = itemsOf(body);
    const [name, token] = [valueAt(item, 'metadata.name'), valueAt(body, 'metadata.continue')];
    const isSame = [...names.values()].includes(name);
    names.set(token, name);
    return isSame ? { ...body, items: [] } : body;
  });
}

/** Treats every token except the last issued one as expired, and issues the last one again. */
function forgetful(): Broken {
  let last = '';
  const remember = change('metadata.continue', (token) => {
    last = String(token ?? last);
    return token;
  });
  return {
    request: (request) => {
      const token = new URLSearchParams(request.path.split('?')[1]).get('continue') ?? last;
      if (token === last) return request;
      return reply(410, {
        kind: 'Status',
        status: 'Failure',
        reason: 'Expired',
        code: 410,
        metadata: { continue: last },
      });
    },
    ...shown(every, remember),
  };
}
