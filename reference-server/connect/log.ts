// GET of a pod's log: the server checks the request, and the node reads the log.

import { badRequest, invalid, nodeError } from '../errors.js';
import { flag, integer } from '../query/parameters.js';
import { type Handler, objectKeyOf } from '../request.js';
import { Causes } from '../schema/causes.js';
import { momentOf } from '../schema/moment.js';
import { exchange } from './backend.js';
import { kubeletOf, kubeletPath } from './kubelet.js';
import { type ConnectDependencies, containerOf, nodeOf, podAt } from './target.js';

const mediaType = 'text/plain';

export const log =
  ({ registry, connections }: ConnectDependencies): Handler =>
  async (request) => {
    const key = objectKeyOf(request);
    const { namespace = '', name } = key;
    const query = readOptions(request.query, name);
    const pod = await podAt(registry, key);
    const container = containerOf(pod, request.query.get('container'));
    const node = await nodeOf(registry, pod);
    // An unscheduled pod has an empty log.
    if (node === undefined) return { status: 200, raw: '', mediaType };
    const path = kubeletPath('containerLogs', [namespace, name, container], query);
    const address = kubeletOf(node, connections);
    const headers = [['Host', `${address.host}:${address.port}`]] as const;
    const { response } = await exchange(connections.dialer, address, { method: 'GET', path, headers }, request.signal);
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) throw nodeError(statusCode, await textOf(response));
    return { status: 200, headers: [['Content-Type', mediaType]], stream: response, asMessages: true };
  };

/** Returns the log options in the spelling of kubelets. Throws 400 or 422 for invalid ones. */
function readOptions(query: URLSearchParams, name: string): URLSearchParams {
  const numbers = {
    sinceSeconds: integer(query, 'sinceSeconds'),
    tailLines: integer(query, 'tailLines'),
    limitBytes: integer(query, 'limitBytes'),
  };
  const { sinceSeconds, tailLines, limitBytes } = numbers;
  const sinceTime = query.get('sinceTime') || undefined;
  if (sinceTime !== undefined && momentOf(sinceTime) === undefined) {
    throw badRequest(
      `parsing time "${sinceTime}" as "2006-01-02T15:04:05Z07:00": cannot parse "${sinceTime}" as RFC 3339`,
    );
  }
  const causes = new Causes();
  causes.notNegative('tailLines', tailLines);
  causes.positive('limitBytes', limitBytes);
  if (sinceSeconds !== undefined && sinceTime) {
    causes.forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  } else causes.positive('sinceSeconds', sinceSeconds);
  if (causes.list.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, causes.list);
  const asked = new URLSearchParams();
  for (const option of ['follow', 'previous', 'timestamps']) if (flag(query, option)) asked.set(option, 'true');
  for (const [option, value] of Object.entries(numbers)) if (value !== undefined) asked.set(option, String(value));
  if (sinceTime !== undefined) asked.set('sinceTime', sinceTime);
  return asked;
}

/** The most characters of a refusal that are passed on. */
const longestRefusal = 50_000;

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > longestRefusal) break;
  }
  return text.slice(0, longestRefusal).trim();
}
