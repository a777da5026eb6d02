// Servers that return a wrong log.
import { passesCredentials } from '../testing/faults/wire/credentials.js';
import { type Broken, fault, faultsOf } from '../testing/faults/wire/fault.js';
import { replacing } from '../testing/faults/wire/objects.js';
import { shownHeader, shownText } from '../testing/faults/wire/replies.js';
import { answer, every, ignore, instead, parameter, query, refuse, reread, reroute, withHeader } from '../testing/faults/wire/requests.js';

const logs = /\/pods\/[^/]+\/log(\?|$)/;

/** A row for one case of a requirement: `content › lines`. */
const on = (name: string, fails: string, edit: Broken) =>
  fault(name, fails.replace('› ', '› GET /api/v1/namespaces/{namespace}/pods/{name}/log, '), [edit]);
const text = (status: number, body: string) => answer(logs, { status, headers: { 'content-type': 'text/plain' }, body });
const shows = (edit: (log: string) => string) => shownText(logs, edit);
const blind = (name: string) => ignore(logs, name);
const sees = (name: string, value: string) => parameter(logs, name, value);
const sinceTime = (to: (time: string) => string) => reread(logs, 'sinceTime', to);
const aSecondLater = (time: string) => new Date(Date.parse(time) + 1000).toISOString();
const asGet = instead(logs, () => ({ method: 'GET', body: '' }));

export const faults = faultsOf('log', [
  on('loses the last line of a log', 'content › lines', shows(replacing(/[^\n]*\n$/, ''))),
  on('ends the last line of a log', 'content › a line without end', shows(replacing(/$/, '\n'))),
  on('makes characters of the bytes of a log', 'content › bytes', shows(replacing(/[^\0-\x7f]/g, '?'))),
  on('cuts a long line', 'content › a long line', shows(replacing(/^(.{16384})/, '$1\n'))),
  on(
    'cuts a log at a megabyte',
    'content › a long line',
    shows((log) => log.slice(0, 1_000_000)),
  ),
  on('leaves the standard error out', 'content › standard output', shows(replacing('err\n', ''))),
  on('calls a log JSON', 'media-type › lines', shownHeader(every, 'content-type', 'application/json')),
  on('makes JSON of a log', 'accept › application/json', shows(JSON.stringify)),
  on('has no log for kubectl', 'accept › application/json, *', refuse([logs, withHeader('accept', /, \*/)], 406)),
  on('refuses a log that is to be pretty', 'pretty › pretty=true', refuse([logs, /pretty/], 400)),
  on('indents a log', 'pretty-same › pretty=true', shows(replacing(/^/gm, ' '))),
  on('wants every container named', 'container-default › the only', refuse(logs, 400)),
  on('takes the first container', 'container › the second', sees('container', 'silent')),
  on('knows no log of an init container', 'container › the first', refuse([logs, /container=earlier/], 400)),
  on('shows another log for that of an init container', 'container › the second', reread(logs, 'container', replacing('earlier', 'blank'))),
  on('takes the first of several containers', 'container-required › plain', sees('container', 'alpha')),
  on('does not name the containers', 'container-required › plain', refuse(logs, 400)),
  on('does not look for the container', 'container-unknown › plain', blind('container')),
  on('does not know previous', 'previous › previous=true', blind('previous')),
  on('knows previous without tailLines only', 'previous › previous=true&', blind('previous')),
  on('shows the life before', 'previous-default › plain', sees('previous', 'true')),
  on('shows this life for want of one before', 'previous-none › previous=true', blind('previous')),
  on('does not follow', 'follow › plain', blind('follow')),
  on('does not follow for those who accept gzip', 'follow › plain', ignore([logs, withHeader('accept-encoding', /gzip/)], 'follow')),
  on('follows a log from its start, whatever tailLines says', 'follow › tailLines=1', ignore([logs, /[?&]follow=true/], 'tailLines')),
  on('follows a log without times', 'follow › timestamps', ignore([logs, /[?&]follow=true/], 'timestamps')),
  on('skips lines', 'follow › timestamps', parameter([logs, /[?&]follow=true/], 'sinceTime', '2200-01-01T00:00:00Z')),
  on('follows unasked', 'follow-default › plain', sees('follow', 'true')),
  on('follows those that have ended', 'follow-ends › a container that has', { neverEnds: true }),
  on('follows a log beyond limitBytes', 'follow-ends › a limit', ignore([logs, /[?&]follow=true/], 'limitBytes')),
  on('goes on when the container has ended', 'follow-ends › a container that ends', { neverEnds: true }),
  on('stays at the node', 'follow-left › follow=true', {
    atNode: (request) => ({ ...request, ended: new Promise<void>(() => {}) }),
  }),
  on('does not know sinceSeconds', 'since-seconds › between', blind('sinceSeconds')),
  on('shows nothing since before the start', 'since-seconds-clamped › a year', sees('sinceSeconds', '1')),
  on('drops a negative sinceSeconds', 'since-seconds-future › sinceSeconds=-', blind('sinceSeconds')),
  on('does not read the offset of a time', 'since-time › with an offset', sinceTime(replacing(/[+-]\d\d:\d\d$/, 'Z'))),
  on('begins after the time', 'since-time › at a line', sinceTime(aSecondLater)),
  on('shows nothing since before the start', 'since-time-clamped › sinceTime', sees('sinceTime', '2200-01-01T00:00:00Z')),
  on('does not know sinceTime', 'since-time-future › tomorrow', blind('sinceTime')),
  on('lets sinceSeconds win', 'since-exclusive › sinceSeconds', blind('sinceTime')),
  on('takes 0 for absent', 'since-seconds-invalid › sinceSeconds=0', blind('sinceSeconds')),
  on('drops a sinceTime that it cannot read', 'since-time-malformed › sinceTime=y', blind('sinceTime')),
  on('does not know timestamps', 'timestamps › timestamps=true', blind('timestamps')),
  on('writes other times', 'timestamps › timestamps=true&', shows(replacing(/^\d{4}/gm, '1999'))),
  on('shows times unasked', 'timestamps-default › plain', sees('timestamps', 'true')),
  on('does not know tailLines', 'tail-lines › tailLines=3', blind('tailLines')),
  on('shows the last lines only', 'tail-lines-omitted › from the creation', sees('tailLines', '4')),
  on('takes 0 for absent', 'tail-lines-zero › tailLines=0', blind('tailLines')),
  on('shows nothing beyond', 'tail-lines-beyond › tailLines=6', sees('tailLines', '0')),
  on('forgets tailLines beside a start', 'tail-and-since › fewer', blind('tailLines')),
  on('drops a negative tailLines', 'tail-lines-negative › tailLines=-1', blind('tailLines')),
  on('does not know limitBytes', 'limit-bytes › in the middle', blind('limitBytes')),
  on('gives the end in place of the start', 'limit-bytes › of the last', shows(replacing(/^(.*).$/s, '9$1'))),
  on('takes 0 for absent', 'limit-bytes-invalid › limitBytes=0', blind('limitBytes')),
  on('knows small numbers only', 'int32 › limitBytes', refuse(/(sinceSeconds|tailLines|limitBytes)=2147483647/, 400)),
  on('drops a number that is none', 'malformed-number › tailLines=abc', blind('tailLines')),
  on('says that there is no content', 'unscheduled-status › plain', text(204, '')),
  on('makes up a line', 'unscheduled › follow', text(200, 'pending\n')),
  on('has an empty log of everything', 'absent › plain', text(200, '')),
  on('knows Pods by their names alone', 'absent › plain', reroute(logs, /-other(?=\/pods\/)/, '-main')),
  on('has an empty log where it cannot ask', 'absent-node › a node that is not', text(200, '')),
  on('gives up in good order', 'absent-node › a node that does', text(200, '')),
  on('keeps tailLines to itself', 'query-forwarded › tailLines=7', blind('tailLines')),
  on(
    'follows a log from its start where no line is wanted',
    'query-forwarded › follow=True&tailLines=0',
    ignore([logs, /tailLines=0/], 'tailLines'),
  ),
  on('knows no times of an earlier life', 'query-forwarded › previous=True', ignore([logs, /previous=/], 'timestamps')),
  on(
    'knows one spelling of a wish to follow',
    'query-forwarded › follow=True',
    reread(logs, 'follow', (value) => String(value === 'true')),
  ),
  on(
    'knows one spelling of true',
    'query-forwarded › previous=True',
    reread(logs, 'previous', (value) => String(value === 'true')),
  ),
  on(
    'follows a log from its start, whatever sinceTime says',
    'query-forwarded › follow=true&sinceTime',
    ignore([logs, /follow=true/], 'sinceTime'),
  ),
  on('reads a negative offset of a time as none', 'query-forwarded › follow=true&sinceTime', sinceTime(replacing(/-\d\d:\d\d$/, 'Z'))),
  on('tells all of an earlier life', 'query-forwarded › previous=true&', ignore([logs, /previous=true/], 'tailLines')),
  on('has no limit for an earlier life', 'query-forwarded › previous=true&', ignore([logs, /previous=true/], 'limitBytes')),
  on(
    'reads the last of several numbers',
    'query-forwarded › tailLines=7&tailLines=8',
    query(logs, (given) => given.set('tailLines', given.getAll('tailLines').at(-1) ?? '')),
  ),
  on('refuses what it does not know', 'query-forwarded › tailLines=7&tailLines=8', refuse([logs, /unknown=/], 400)),
  on('asks for more than it was asked', 'query-forwarded › plain', sees('timestamps', 'true')),
  on('sends the credentials on', 'credentials-kept › plain', passesCredentials()),
  on('takes a PUT for a GET', 'read-only › PUT', asGet),
]);
