// GET of a pod's log.
import { badRequest, invalid } from '../errors.js';
import { Causes } from '../registry/causes.js';
import { integer, type MakeHandler, placeOf } from '../verbs/context.js';
import { containerOf, nodeOf, podAt, unavailable } from './target.js';

export const log: MakeHandler =
  ({ registry }) =>
  async (request) => {
    const place = placeOf(request);
    requireOptions(request.query, place.name);
    const pod = await podAt(registry, place);
    containerOf(pod, request.query.get('container'));
    const node = await nodeOf(registry, pod);
    // Nothing has run, so nothing has been said.
    if (node === undefined) return { status: 200, raw: '', mediaType: 'text/plain' };
    throw unavailable(`node ${node.metadata.name} has no agent that could be asked for the log`);
  };

function requireOptions(query: URLSearchParams, name: string): void {
  const sinceSeconds = integer(query, 'sinceSeconds');
  const tailLines = integer(query, 'tailLines');
  const limitBytes = integer(query, 'limitBytes');
  const sinceTime = query.get('sinceTime') || undefined;
  if (sinceTime && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(sinceTime) && !Number.isNaN(Date.parse(sinceTime)))) {
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
}
