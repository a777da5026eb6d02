// Writes the evidence: exchanges with redacted and shortened bodies, and the verdict of each case, one line each.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../../matrix/api/index.js';
import { makeFolder } from '../../../matrix/api/makeFolder.js';
import type {
  CaseResult,
  EvidenceChoice,
  EvidenceLine,
  Exchange,
  Frame,
  Header,
  RecordedBody,
  StreamEvent,
  WaitsLine,
} from '../../requirements/index.js';
import { decodeBody, isProtobuf } from '../decoders.js';
import { isObject } from '../json.js';
import type { Reply } from '../reply.js';
import type { Redactor } from './redaction.js';

/** The number of bytes of a body that are kept for a failure, and for a pass if the run does not keep everything. */
const limits = { failure: 16 * 1024, pass: 1024 } as const;
/** The number of stream events or frames that are kept for a pass. */
const passEvents = 10;

/** Returns an exchange for the evidence: with bodies, without secrets. The redactor learns those of the exchange first. */
export function recordedExchange(
  redactor: Redactor,
  exchange: Exchange,
  sent: string | Uint8Array | undefined,
  reply: Reply | undefined,
): Exchange {
  learnFrom(redactor, exchange.request, sent, reply);
  return withBodies(redactor, exchange, sent, reply);
}

/** Tells the redactor which secrets an exchange holds, and what the suite itself wrote. */
export function learnFrom(
  redactor: Redactor,
  request: Exchange['request'],
  sent: string | Uint8Array | undefined,
  reply: Reply | undefined,
): void {
  leaveSent(redactor, request, sent);
  if (reply !== undefined && mayHoldSecret(reply.bytes)) redactor.learn(reply.tryValue());
}

/** Returns an exchange, of which the redactor has learnt, with bodies and without secrets. */
export function withBodies(
  redactor: Redactor,
  exchange: Exchange,
  sent: string | Uint8Array | undefined,
  reply: Reply | undefined,
): Exchange {
  const clean = (headers: readonly Header[]): Header[] =>
    headers.map(([name, value]) => [name, redactor.redactHeader(name, value)]);
  const { request, response, error } = exchange;
  return {
    ...exchange,
    ...defined({ error: error && redactor.redact(error) }),
    request: {
      ...request,
      url: redactor.redact(request.url),
      headers: clean(request.headers),
      ...defined({ body: sent === undefined ? undefined : bodyOf(redactor, Buffer.from(sent)) }),
    },
    ...defined({
      response: response && {
        ...response,
        headers: clean(response.headers),
        ...defined({ body: reply && bodyOf(redactor, reply.bytes) }),
      },
    }),
  };
}

export function recordedEvent(redactor: Redactor, at: number, bytes: Buffer, value: unknown): StreamEvent {
  redactor.learn(isObject(value) ? value.object : undefined);
  return { at, data: bodyOf(redactor, bytes) };
}

/** Reports whether a body can be a Secret or a list of them. A backslash can hide the name of the kind. */
const mayHoldSecret = (bytes: Buffer): boolean => bytes.includes('Secret') || bytes.includes('\\');

const [json, yaml] = ['application/json', 'application/yaml'];

/** Leaves what the suite itself sends in a Secret readable. */
function leaveSent(
  redactor: Redactor,
  { url, headers }: Exchange['request'],
  sent: string | Uint8Array | undefined,
): void {
  const isOfSecrets = /\/secrets(?:[/?]|$)/.test(url);
  if (sent === undefined || !(isOfSecrets || (typeof sent === 'string' ? sent : Buffer.from(sent)).includes('Secret')))
    return;
  const bytes = Buffer.from(sent);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  // the types of patches have no decoder, and a body can have no Content-Type
  const readAs = isProtobuf(type) ? type : /^\s*[{[]/.test(bytes.toString('latin1', 0, 100)) ? json : yaml;
  try {
    const body = decodeBody(readAs, bytes);
    redactor.leave(body, isOfSecrets);
  } catch {
    // A body that is malformed on purpose holds no credential.
  }
}

function bodyOf(redactor: Redactor, bytes: Buffer): RecordedBody {
  const kept = bytes.subarray(0, limits.failure);
  const cut = kept.length < bytes.length ? ({ cut: true } as const) : {};
  const text = kept.toString('utf8');
  if (text.includes('\u0000')) {
    const clean = Buffer.from(redactor.redact(kept.toString('latin1')), 'latin1');
    return { base64: clean.toString('base64'), bytes: bytes.length, ...cut };
  }
  return { text: redactor.redact(text), bytes: bytes.length, ...cut };
}

function shortened(exchange: Exchange): Exchange {
  const { request, response, events, frames, standIn } = exchange;
  const cutBody = (body: RecordedBody): RecordedBody =>
    body.text === undefined || body.text.length <= limits.pass
      ? body
      : { ...body, text: body.text.slice(0, limits.pass), cut: true };
  const cut = <T extends { readonly body?: RecordedBody }>(part: T): T =>
    part.body === undefined ? part : { ...part, body: cutBody(part.body) };
  const cutEvent = <T extends StreamEvent>(event: T): T => ({ ...event, data: cutBody(event.data) });
  return {
    ...exchange,
    request: cut(request),
    ...defined({
      response: response && cut(response),
      events: events?.slice(0, passEvents).map(cutEvent),
      frames: frames?.slice(0, passEvents).map(cutEvent),
      standIn: standIn?.map((seen) => ({ ...seen, request: cut(seen.request) })),
    }),
  };
}

/** The number of characters that are buffered at most. */
const most = 16 * 1024 * 1024;

/** The evidence file of one worker. */
export class EvidenceWriter {
  readonly #file: number;
  /** The requirements of which a passed case has been written with its exchanges. */
  readonly #sampled = new Set<string>();
  #lines: string[] = [];
  #size = 0;

  constructor(
    directory: string,
    worker: string,
    private readonly kept: EvidenceChoice = 'sample',
  ) {
    makeFolder(directory);
    this.#file = openSync(join(directory, `${worker}.jsonl`), 'a', 0o600);
  }

  /**
   * Reports whether the exchanges of a subject belong to the evidence: always if a case did not pass, otherwise as the
   * run chose. Of a sample, each requirement counts once.
   */
  wants(cases: readonly CaseResult[]): boolean {
    if (this.kept === 'all' || cases.some(({ verdict, retried }) => verdict !== 'passed' || retried)) return true;
    if (this.kept === 'failures') return false;
    const isNew = cases.some(({ requirement }) => !this.#sampled.has(requirement));
    if (isNew) for (const { requirement } of cases) this.#sampled.add(requirement);
    return isNew;
  }

  /** Writes the cases of one subject with the exchanges that prove the verdicts. */
  write(cases: readonly CaseResult[], exchanges: readonly Exchange[]): void {
    const isShort = this.kept !== 'all' && cases.every(({ verdict }) => verdict === 'passed');
    for (const exchange of exchanges) this.#add(isShort ? shortened(exchange) : exchange);
    for (const result of cases) this.#add(result);
  }

  /** Writes the waits of the worker, at its end. */
  writeWaits(waits: WaitsLine): void {
    this.#add(waits);
  }

  /** Writes the buffered lines to the file, so that they survive the end of the worker. */
  flush(): void {
    if (this.#lines.length === 0) return;
    writeSync(this.#file, `${this.#lines.join('\n')}\n`);
    [this.#lines, this.#size] = [[], 0];
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #add(line: EvidenceLine): void {
    const text = JSON.stringify(line);
    this.#lines.push(text);
    this.#size += text.length;
    if (this.#size > most) this.flush();
  }
}

const mostFrames = 50;

/** Records frames as they pass. */
export class FrameLog {
  readonly #frames: { readonly direction: Frame['direction']; at: number; channel: number; bytes: Buffer }[] = [];

  /** `started`: the time of the request, as returned by `Date.now()`. */
  constructor(readonly started: number) {}

  note(direction: Frame['direction'], channel: number, bytes: Buffer): void {
    if (this.#frames.length < mostFrames)
      this.#frames.push({ direction, at: Date.now() - this.started, channel, bytes });
  }

  recorded(redactor: Redactor): Frame[] {
    return this.#frames.map(({ direction, at, channel, bytes }) => ({
      direction,
      channel,
      ...recordedEvent(redactor, at, bytes, undefined),
    }));
  }
}
