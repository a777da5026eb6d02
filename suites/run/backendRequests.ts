// Adds the requests that a target's backends (the node of the run, the stand-ins) received to the causing exchanges.
import { randomUUID } from 'node:crypto';
import { namePrefix } from '../client/belonging.js';
import type { Redactor } from '../client/evidence/redaction.js';
import { recordedExchange } from '../client/evidence/writer.js';
import type { StandInName } from '../fixtures/fixtures.js';
import type { Credential, Exchange, Header, SeenExchange, Subject } from '../requirements/index.js';
import type { NodeRequest } from '../stand-ins/node.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import type { Context } from './context.js';

/** The maximum number of backend requests that are kept with an exchange. */
const most = 10;

/** The stand-in that a server asks about the credentials of a mechanism. */
const asked: Partial<Record<NonNullable<Subject['mechanism']>, StandInName>> = {
  webhookTokenReview: 'webhookReviewer',
  openidConnect: 'oidcIssuer',
  identityServicePassword: 'identityService',
};

/** Returns the exchanges of a subject with the backend requests that they caused. Rejects if a backend is gone. */
export async function withBackendRequests(
  context: Context,
  subject: Subject,
  exchanges: readonly Exchange[],
): Promise<readonly Exchange[]> {
  const [first] = exchanges;
  if (first === undefined) return exchanges;
  const seen = new Map<Exchange, SeenExchange[]>();
  const add = (exchange: Exchange | undefined, request: SeenExchange): void => {
    if (exchange !== undefined) seen.set(exchange, [...(seen.get(exchange) ?? []), request].slice(0, most));
  };
  const { node, client } = context;
  if (subject.node !== undefined && node !== undefined) {
    const own = `${namePrefix(context.run.runId)}-${context.sandbox.worker}-`;
    for (const request of await node.received(own, first.at)) {
      add(causeOf(request, exchanges), seenByNode(client.redactor, request));
    }
  }
  for (const { exchange, by, call } of await callsFor(context, subject, exchanges)) {
    add(exchange, seenByStandIn(client.redactor, by, call));
  }
  return exchanges.map((exchange) => {
    const standIn = seen.get(exchange);
    return standIn === undefined ? exchange : { ...exchange, standIn };
  });
}

/**
 * Returns the exchange that caused a request at the node: the latest exchange before the request, among those that have
 * the most in common with the request.
 */
function causeOf({ to, at, path, query }: NodeRequest, exchanges: readonly Exchange[]): Exchange | undefined {
  const [, name = path.split('/')[3] ?? ''] = /^pod [^/]*\/(.*)/.exec(to) ?? [];
  let [best, most]: [Exchange | undefined, number] = [undefined, -1];
  for (const exchange of exchanges) {
    if (exchange.at > at) continue;
    const { pathname, searchParams } = new URL(exchange.request.url);
    const values = [...searchParams.values()];
    const common =
      query.filter(([, value]) => values.includes(value)).length +
      (pathname.includes(name) ? 100 : 0) +
      (pathname.endsWith(path) ? 1000 : 0);
    if (common >= most) [best, most] = [exchange, common];
  }
  return best;
}

/** Returns the requests that the stand-in of the subject's mechanism received about these credentials. */
async function callsFor({ backends, client }: Context, { mechanism }: Subject, exchanges: readonly Exchange[]) {
  const by = mechanism && asked[mechanism];
  if (backends === undefined || by === undefined) return [];
  const found: { exchange: Exchange; by: StandInName; call: ReceivedCall }[] = [];
  for (const exchange of exchanges) {
    const carried = client.carriedBy(exchange);
    // without a token and a user, every request of this time would match, also those for other workers
    if (carried === undefined || aboutOf(by, carried) === '') continue;
    const until = Date.parse(exchange.at) + exchange.milliseconds;
    for (const call of await backends.calls(by, aboutOf(by, carried), exchange.at)) {
      if (Date.parse(call.at) <= until) found.push({ exchange, by, call });
    }
  }
  return found;
}

/** Returns the text that selects the requests about a credential; undefined for requests for keys. */
const aboutOf = (by: StandInName, { token, username }: Credential): string | undefined =>
  by === 'oidcIssuer' ? undefined : (token ?? username ?? '');

interface Facts {
  readonly by: string;
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text?: string;
}

function seenBy(redactor: Redactor, { by, at, method, url, headers, text }: Facts): SeenExchange {
  const lines = Object.entries(headers).map(([name, value]): Header => [name, withoutDigest(String(value ?? ''))]);
  const exchange = {
    ...{ type: 'exchange' as const, id: randomUUID(), at, milliseconds: 0 },
    request: { method, url: redactor.redact(url), headers: lines },
  };
  return { ...recordedExchange(redactor, exchange, text === '' ? undefined : text, undefined), by };
}

/** Removes the digests: a check uses a digest to tell credentials apart, and readers of a report do not need it. */
const withoutDigest = (value: string): string => value.replace(/sha256:[0-9a-f]{64}/g, '<redacted>');

function seenByNode(redactor: Redactor, { to, at, method, path, query, headers, ended }: NodeRequest): SeenExchange {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  const facts = { by: `node: ours (${to})`, at, method, url: search === '' ? path : `${path}?${search}`, headers };
  return { ...seenBy(redactor, facts), ...(ended ? {} : { error: 'not ended when the case was judged' }) };
}

const seenByStandIn = (redactor: Redactor, by: string, { path, query, ...call }: ReceivedCall): SeenExchange =>
  seenBy(redactor, { ...call, by, url: query === '' ? path : `${path}?${query}` });
