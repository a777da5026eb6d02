// Servers that break the log chapter.
import { type Fault, failure, type Passing, passesCredentials, type Returning } from './parts.js';

/** A server that breaks one requirement, seen in one case of it. */
const on = (
  requirement: string,
  variant: string,
  name: string,
  broken: Omit<Fault, 'name' | 'grep' | 'fails'>,
): Fault => ({
  name,
  grep: `log.${requirement} › GET /api/v1/namespaces/{namespace}/pods/{name}/log, ${variant}`,
  fails: [`log.${requirement}`],
  ...broken,
});

const isLog = ({ path }: Passing): boolean => /\/pods\/[^/]+\/log(\?|$)/.test(path);

/** Takes the query of a log for another one. */
const reads = (change: (query: URLSearchParams) => void): Pick<Fault, 'request'> => ({
  request: (passing) => {
    if (!isLog(passing)) return passing;
    const url = new URL(passing.path, 'http://server');
    change(url.searchParams);
    return { ...passing, path: url.pathname + url.search };
  },
});
const blind = (parameter: string) => reads((query) => query.delete(parameter));
const sees = (parameter: string, value: string) => reads((query) => query.set(parameter, value));

/** Changes a log on its way back. */
const says = (change: (log: string, passing: Passing) => string): Pick<Fault, 'reply'> => ({
  reply: (returning, passing) =>
    isLog(passing) && returning.status === 200 ? { ...returning, body: change(returning.body, passing) } : returning,
});

const text = (status: number, body: string): Returning => ({ status, headers: { 'content-type': 'text/plain' }, body });
/** Answers every log so. */
const answers = (returning: Returning): Pick<Fault, 'request'> => ({
  request: (passing) => (isLog(passing) ? returning : passing),
});

const anyNumber = /(sinceSeconds|tailLines|limitBytes)=2147483647/;

export const logFaults: readonly Fault[] = [
  on(
    'content',
    'lines',
    'loses the last line of a log',
    says((log) => log.replace(/[^\n]*\n$/, '')),
  ),
  on(
    'content',
    'a line without end',
    'ends the last line of a log',
    says((log) => `${log}\n`),
  ),
  on(
    'content',
    'bytes',
    'makes characters of the bytes of a log',
    says((log) => log.replace(/[^\0-\x7f]/g, '?')),
  ),
  on(
    'content',
    'a long line',
    'cuts a long line',
    says((log) => log.replace(/^(.{16384})/, '$1\n')),
  ),
  on(
    'content',
    'standard output',
    'leaves the standard error out',
    says((log) => log.replace('err\n', '')),
  ),
  on('media-type', 'lines', 'calls a log JSON', {
    reply: (returning) => ({ ...returning, headers: { ...returning.headers, 'content-type': 'application/json' } }),
  }),
  on(
    'accept',
    'application/json',
    'makes JSON of a log',
    says((log) => JSON.stringify(log)),
  ),
  on('pretty', 'pretty=true', 'refuses a log that is to be pretty', {
    request: (passing) => (isLog(passing) && passing.path.includes('pretty') ? failure(400, 'BadRequest') : passing),
  }),
  on(
    'pretty-same',
    'pretty=true',
    'indents a log',
    says((log) => log.replaceAll(/^/gm, '  ')),
  ),
  on('container-default', 'the only', 'wants every container named', answers(failure(400, 'BadRequest'))),
  on('container', 'the second', 'takes the first container', sees('container', 'silent')),
  on('container-required', 'plain', 'takes the first of several containers', sees('container', 'alpha')),
  on('container-required', 'plain', 'does not name the containers', answers(failure(400, 'BadRequest'))),
  on('container-unknown', 'plain', 'does not look for the container', blind('container')),
  on('previous', 'previous=true', 'does not know previous', blind('previous')),
  on('previous', 'previous=true&', 'knows previous without tailLines only', blind('previous')),
  on('previous-default', 'plain', 'shows the life before', sees('previous', 'true')),
  on('previous-none', 'previous=true', 'shows this life for want of one before', blind('previous')),
  on('follow', 'plain', 'does not follow', blind('follow')),
  on(
    'follow',
    'timestamps',
    'skips lines',
    reads((query) => query.set('sinceTime', '2200-01-01T00:00:00Z')),
  ),
  on('follow-default', 'plain', 'follows unasked', sees('follow', 'true')),
  on('follow-ends', 'a container that has', 'follows those that have ended', { neverEnds: true }),
  on('follow-ends', 'a container that ends', 'goes on when the container has ended', { neverEnds: true }),
  on('follow-left', 'follow=true', 'stays at the node', {
    atNode: (request) => ({ ...request, ended: new Promise<void>(() => {}) }),
  }),
  on('since-seconds', 'between', 'does not know sinceSeconds', blind('sinceSeconds')),
  on('since-seconds-clamped', 'a year', 'shows nothing since before the start', sees('sinceSeconds', '1')),
  on('since-seconds-future', 'sinceSeconds=-', 'drops a negative sinceSeconds', blind('sinceSeconds')),
  on(
    'since-time',
    'with an offset',
    'does not read the offset of a time',
    reads((query) => {
      query.set('sinceTime', (query.get('sinceTime') ?? '').replace(/[+-]\d\d:\d\d$/, 'Z'));
    }),
  ),
  on(
    'since-time',
    'at a line',
    'begins after the time',
    reads((query) => {
      const time = Date.parse(query.get('sinceTime') ?? '');
      query.set('sinceTime', new Date(time + 1000).toISOString());
    }),
  ),
  on(
    'since-time-clamped',
    'sinceTime',
    'shows nothing since before the start',
    sees('sinceTime', '2200-01-01T00:00:00Z'),
  ),
  on('since-time-future', 'tomorrow', 'does not know sinceTime', blind('sinceTime')),
  on('since-exclusive', 'sinceSeconds', 'lets sinceSeconds win', blind('sinceTime')),
  on('since-seconds-invalid', 'sinceSeconds=0', 'takes 0 for absent', blind('sinceSeconds')),
  on('since-time-malformed', 'sinceTime=y', 'drops a sinceTime that it cannot read', blind('sinceTime')),
  on('timestamps', 'timestamps=true', 'does not know timestamps', blind('timestamps')),
  on(
    'timestamps',
    'timestamps=true&',
    'writes other times',
    says((log) => log.replaceAll(/^\d{4}/gm, '1999')),
  ),
  on('timestamps-default', 'plain', 'shows times unasked', sees('timestamps', 'true')),
  on('tail-lines', 'tailLines=3', 'does not know tailLines', blind('tailLines')),
  on('tail-lines-omitted', 'from the creation', 'shows the last lines only', sees('tailLines', '4')),
  on('tail-lines-zero', 'tailLines=0', 'takes 0 for absent', blind('tailLines')),
  on('tail-lines-beyond', 'tailLines=6', 'shows nothing beyond', sees('tailLines', '0')),
  on('tail-and-since', 'fewer', 'forgets tailLines beside a start', blind('tailLines')),
  on('tail-lines-negative', 'tailLines=-1', 'drops a negative tailLines', blind('tailLines')),
  on('limit-bytes', 'in the middle', 'does not know limitBytes', blind('limitBytes')),
  on(
    'limit-bytes',
    'of the last',
    'gives the end in place of the start',
    says((log) => `9${log.slice(0, -1)}`),
  ),
  on('limit-bytes-invalid', 'limitBytes=0', 'takes 0 for absent', blind('limitBytes')),
  on('int32', 'limitBytes', 'knows small numbers only', {
    request: (passing) => (anyNumber.test(passing.path) ? failure(400, 'BadRequest') : passing),
  }),
  on('malformed-number', 'tailLines=abc', 'drops a number that is none', blind('tailLines')),
  on('unscheduled-status', 'plain', 'says that there is no content', answers(text(204, ''))),
  on('unscheduled', 'follow', 'makes up a line', answers(text(200, 'pending\n'))),
  on('absent', 'plain', 'has an empty log of everything', answers(text(200, ''))),
  on('absent-node', 'a node that is not', 'has an empty log where it cannot ask', answers(text(200, ''))),
  on('absent-node', 'a node that does', 'gives up in good order', answers(text(200, ''))),
  on('query-forwarded', 'tailLines=7', 'keeps tailLines to itself', blind('tailLines')),
  on('query-forwarded', 'plain', 'asks for more than it was asked', sees('timestamps', 'true')),
  on('credentials-kept', 'plain', 'sends the credentials on', passesCredentials()),
  on('read-only', 'PUT', 'takes a PUT for a GET', {
    request: (passing) => (isLog(passing) ? { ...passing, method: 'GET', body: '' } : passing),
  }),
];
