// The caller of webhooks: where they are, how they prove who they are, and how much they may take. It has no credentials.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import { firstOf } from '../../../matrix/api/signals.js';
import type { Address, Dialer } from '../../connect/dialer.js';
import type { Objects } from '../../connect/target.js';
import { jsonText, parseJson } from '../../exactJson.js';
import { hostOf } from '../../remote/connected.js';
import { askOverKept, textOf } from '../../remote/exchange.js';
import { KeptConnections } from '../../remote/keptConnections.js';
import { Places } from '../../remote/places.js';
import { isRecord } from '../../schema/object.js';
import type { ClientConfig } from './configurationRules.js';
import { type CallOptions, ServiceAddresses } from './serviceAddress.js';
import { callError, serviceError, statusMessage } from './words.js';

export type WebhookOptions = CallOptions;

/** The most calls at a time, by default. */
const usualCalls = 64;
/**
 * The part of its time that a call waits for its turn. Calls that lead back to this server wait for calls that wait for
 * them: the last of them must fail before the first do, or each of them calls again.
 */
const turnPart = 1 / 3;
/** The size limit of an answer, in bytes: a patch in base64 of the largest object. */
const mostBytes = 4 * 1024 * 1024;

/** Where a call goes. */
interface Target {
  readonly address: Address;
  readonly dialer: Dialer;
  readonly host: string;
  readonly path: string;
  /** That of the connections which this call may use. */
  readonly key: string;
}

export class WebhookCaller {
  readonly #services: ServiceAddresses;
  readonly #places: Places;
  readonly #stopping = new AbortController();
  readonly #connections = new KeptConnections();

  /** Services are those of the cluster: their endpoints are pods. Calls beyond `mostCalls` at a time wait. */
  constructor(options: WebhookOptions, registry: Objects, mostCalls = usualCalls) {
    this.#places = new Places(mostCalls);
    this.#services = new ServiceAddresses(options, registry);
  }

  /**
   * Posts a review, and returns the JSON object of the answer. Rejects with an Error in the words of real servers if the
   * webhook cannot be reached, takes longer than `seconds`, or answers with another status than 200; and once the
   * client of the request has left.
   */
  async call(
    config: ClientConfig,
    review: object,
    seconds: number,
    left?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const ends = [this.#stopping.signal, ...(left === undefined ? [] : [left])];
    const signal = firstOf(AbortSignal.timeout(seconds * 1000), ...ends);
    const turn = firstOf(AbortSignal.timeout(Math.ceil(seconds * 1000 * turnPart)), ...ends);
    const url = `${urlOf(config)}?timeout=${seconds}s`;
    const giveBack = await this.#places.take(turn).catch((reason: unknown) => {
      throw callError(url, reason);
    });
    try {
      return await this.#post(config, jsonText(review), url, signal);
    } finally {
      giveBack();
    }
  }

  /** Ends all calls. */
  stop(): void {
    this.#stopping.abort();
    this.#connections.destroy();
  }

  async #post(
    config: ClientConfig,
    body: string,
    url: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    let response: IncomingMessage;
    let text: string;
    try {
      const { address, host, path, dialer, key } = await this.#targetOf(config, new URL(url));
      const kept = { key, dial: () => dialer.dial(address, signal) };
      response = await askOverKept(this.#connections, kept, { ...posting(body), host, path, body, signal });
      text = await textOf(response, mostBytes);
    } catch (error) {
      throw callError(url, signal.aborted ? signal.reason : error);
    }
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 206) throw new Error(statusMessage(status, text));
    if (text === '') {
      const type = response.headers['content-type'] ?? 'application/json';
      throw new Error(`0-length response with status code: ${status} and content type: ${type}`);
    }
    return jsonObject(text);
  }

  async #targetOf(config: ClientConfig, url: URL): Promise<Target> {
    const { service } = config;
    const port = Number(url.port || 443);
    const { secureContext, authorities } = trustOf(config);
    const tls: ConnectionOptions = { secureContext };
    const target = { host: url.host, path: url.pathname + url.search };
    const keyOf = ({ host: to }: Pick<Address, 'host'>, at: number) => [url.hostname, to, at, authorities].join(' ');
    if (service === undefined) {
      const address = { host: hostOf(url), port, tls };
      return { ...target, address, dialer: this.#services.direct, key: keyOf(address, port) };
    }
    const { name = '', namespace = '' } = service;
    const { address, dialer } = await this.#services.of({ namespace, name, port }).catch((error: unknown) => {
      throw serviceError(name, error);
    });
    const named = { ...address, tls: { ...tls, servername: `${name}.${namespace}.svc` } };
    return { ...target, dialer, address: named, key: keyOf(address, address.port) };
  }
}

/** What the certificates of a webhook are verified with. */
interface Trust {
  readonly secureContext: SecureContext;
  /** A digest of the authorities: others need other connections. */
  readonly authorities: string;
}

/** A stored configuration never changes, so each is made once. */
const trusts = new WeakMap<ClientConfig, Trust>();

function trustOf(config: ClientConfig): Trust {
  const { caBundle = '' } = config;
  const known = trusts.get(config);
  if (known !== undefined) return known;
  const ca = Buffer.from(caBundle, 'base64').toString('utf8');
  const trust = {
    secureContext: createSecureContext(caBundle === '' ? {} : { ca }),
    authorities: hash('sha256', caBundle),
  };
  trusts.set(config, trust);
  return trust;
}

/** The URL of a webhook, without the time that it has. */
function urlOf({ url, service }: ClientConfig): string {
  if (service === undefined) return (url ?? '').replace(/^(https:\/\/[^/]+)$/i, '$1/');
  const { namespace, name, port = 443, path = '' } = service;
  return `https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? path : `/${path}`}`;
}

const posting = (body: string) => ({
  method: 'POST',
  headers: {
    accept: 'application/json, */*',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'kube-apiserver-admission',
  },
});

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new Error("couldn't get version/kind; json parse error: the answer is not JSON");
  }
  if (!isRecord(value)) throw new Error("couldn't get version/kind; json parse error: the answer is not an object");
  return value;
}
