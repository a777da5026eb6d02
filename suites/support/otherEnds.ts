// What the other ends of a target saw while a subject was tried: the node of the run, and the stand-ins that it asks.
import { randomUUID } from 'node:crypto';
import type { Credential, Exchange, Header, SeenExchange, Subject } from '../../matrix/requirements/index.js';
import type { StandInName } from '../fixtures/fixtures.js';
import type { NodeRequest } from '../stand-ins/node.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import { record } from './evidence.js';
import type { Redactor } from './redaction.js';
import { namePrefix } from './run.js';
import type { Context } from './worker.js';

/** Requests that are kept with an exchange. */
const most = 10;

/** Who is asked about the credentials of a mechanism. */
const asked: Partial<Record<NonNullable<Subject['mechanism']>, StandInName>> = {
  webhookTokenReview: 'webhookReviewer',
  openidConnect: 'oidcIssuer',
  identityServicePassword: 'identityService',
};

/** The exchanges of a subject with what other ends saw because of each of them. Rejects where an end cannot be asked. */
export async function withOtherEnds(
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
    const own = `${namePrefix(context.run.runId)}-${context.scope.worker}-`;
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

/** The exchange that a request at the node is due to: the latest before it, of those that it has most in common with. */
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

/** The calls of the stand-in of the subject's mechanism about the credentials of these exchanges. */
async function callsFor({ standIns, client }: Context, { mechanism }: Subject, exchanges: readonly Exchange[]) {
  const by = mechanism && asked[mechanism];
  if (standIns === undefined || by === undefined) return [];
  const found: { exchange: Exchange; by: StandInName; call: ReceivedCall }[] = [];
  for (const exchange of exchanges) {
    const carried = client.carriedBy(exchange);
    if (carried === undefined) continue;
    const until = Date.parse(exchange.at) + exchange.milliseconds;
    for (const call of await standIns.calls(by, aboutOf(by, carried), exchange.at)) {
      if (Date.parse(call.at) <= until) found.push({ exchange, by, call });
    }
  }
  return found;
}

/** What a call about the credential holds; whoever is asked for keys is told nothing of it. */
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
  return { ...record(redactor, exchange, text === '' ? undefined : text, undefined), by };
}

/** A digest tells credentials apart for a check; nobody who reads a report needs it. */
const withoutDigest = (value: string): string => value.replace(/sha256:[0-9a-f]{64}/g, '<redacted>');

function seenByNode(redactor: Redactor, { to, at, method, path, query, headers, ended }: NodeRequest): SeenExchange {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  const facts = { by: `node: ours (${to})`, at, method, url: search === '' ? path : `${path}?${search}`, headers };
  return { ...seenBy(redactor, facts), ...(ended ? {} : { error: 'not ended when the case was judged' }) };
}

const seenByStandIn = (redactor: Redactor, by: string, { path, query, ...call }: ReceivedCall): SeenExchange =>
  seenBy(redactor, { ...call, by, url: query === '' ? path : `${path}?${query}` });
