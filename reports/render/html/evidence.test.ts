import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../suites/requirements/index.js';
import type { JudgedCase } from '../../counts.js';
import { type Element, elements, parse, textOf } from '../../testing/parse.js';
import { exchange, requirement } from '../../testing/sample.js';
import { evidenceMarkup } from './evidence.js';

const url = 'https://127.0.0.1:6443';

function evidence(message: string, ...exchanges: readonly Exchange[]): Element {
  const judged: JudgedCase = {
    id: '',
    requirement: requirement('a.b'),
    subject: '',
    verdict: 'failed',
    message,
    exchanges,
  };
  return parse(`<!doctype html><div>${evidenceMarkup(judged, url)}</div>`, 'html');
}
const marked = (root: Element): string[] =>
  elements(root)
    .filter(({ name }) => name === 'mark')
    .map(textOf);
const within = (root: Element, look: string): string =>
  elements(root)
    .filter(({ attributes }) => attributes.class?.split(' ').includes(look))
    .map(textOf)
    .join('\n');
const answering = (text: string): Exchange =>
  exchange('x1', {
    response: { status: 200, headers: [['content-type', 'text/plain']], body: { text, bytes: text.length } },
  });

describe('the evidence of a failure', () => {
  it('shows the expected and the actual value, and marks the actual one', () => {
    const root = evidence('POST /api/v1/namespaces/ns/pods: expected 200, got 201', exchange('x1'));
    expect(within(root, 'expected')).toMatch(/expected\s+200/);
    expect(within(root, 'got')).toMatch(/201/);
    expect(marked(root).map((text) => text.trim())).toEqual(['201', '201']);
  });

  it('marks the line of the body that the message names', () => {
    const root = evidence(
      'the object: spec.replicas is 2, not 3',
      answering('{"spec":{"replicas":2},"x":{"replicas":2}}'),
    );
    expect(marked(root)).toEqual(['2', '"replicas": 2']);
  });

  it('marks the parent of a missing line', () => {
    const root = evidence(
      'the object: metadata.uid is absent, not "u"',
      answering('{"kind":"Pod","metadata":{"name":"x"}}'),
    );
    expect(marked(root)).toEqual(['absent', '"metadata": {']);
  });

  it('marks the header that the message names', () => {
    const root = evidence('the media type: expected "application/json", got "text/plain"', answering('x'));
    expect(marked(root)).toEqual(['text/plain', expect.stringMatching(/content-type:/)]);
  });

  it('shows the exchange that the message names, and folds the others', () => {
    const [first, last] = [
      exchange('x1'),
      exchange('x2', { request: { method: 'GET', url: `${url}/api`, headers: [] } }),
    ];
    const root = evidence('POST /api/v1/namespaces/ns/pods: expected 200, got 201', first, last);
    const open = elements(root).filter(({ attributes }) => 'open' in attributes);
    expect(open).toHaveLength(1);
    expect(textOf(open[0] as Element)).toContain('POST');
    expect(within(root, 'others')).toContain('/api');
    expect(within(root, 'others')).toContain('1 exchange before and after it');
  });

  it('shows events and frames on one timeline, in both directions', () => {
    const root = evidence(
      '',
      exchange('x1', {
        request: { method: 'GET', url: `${url}/api/v1/namespaces/ns/pods/a/exec?command=x`, headers: [] },
        milliseconds: 40,
        events: [
          {
            at: 30,
            data: {
              text: '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"7"}}}',
              bytes: 1,
            },
          },
        ],
        frames: [
          { at: 20, direction: 'received', channel: 1, data: { text: 'out', bytes: 3 } },
          { at: 10, direction: 'sent', channel: 0, data: { base64: 'AP8=', bytes: 2 } },
        ],
      }),
    );
    const rows = elements(root)
      .filter(({ name }) => name === 'li')
      .map((row) => textOf(row).replace(/\s+/g, ' '));
    expect(rows).toEqual([
      expect.stringMatching(/\+10 ms .*→ sent.*channel 0 \(stdin\).*base64 AP8=/),
      expect.stringMatching(/\+20 ms .*← received.*channel 1 \(stdout\).*out/),
      expect.stringMatching(/\+30 ms .*ADDED Pod a at 7/),
    ]);
    expect(
      elements(root)
        .filter(({ name }) => name === 'rect')
        .map(({ attributes }) => attributes.x),
    ).toEqual(['248.8', '497.5', '746.3']);
  });

  it('keeps an endless stream within the limit of a body', () => {
    const events = Array.from({ length: 5_000 }, (_, at) => ({ at, data: { text: 'y'.repeat(100), bytes: 100 } }));
    const root = evidence('', exchange('x1', { events }));
    expect(textOf(root)).toMatch(/4,88\d more, in evidence.jsonl/);
  });

  it('shows the facts of TLS, and the requests at the backend', () => {
    const root = evidence(
      '',
      exchange('x1', {
        tls: { protocol: 'TLSv1.3', clientCertificate: 'CN=alice', authorized: false },
        standIn: [
          {
            ...exchange('s1', { request: { method: 'POST', url: 'https://reviewer/authenticate', headers: [] } }),
            by: 'webhookReviewer',
          },
        ],
      }),
    );
    expect(within(root, 'tls')).toMatch(/TLSv1\.3.*not verified.*CN=alice/s);
    expect(within(root, 'far')).toMatch(/webhookReviewer.*https:\/\/reviewer\/authenticate/s);
  });

  it('says that there was no response, and why', () => {
    const { response: _, ...silent } = exchange('x1');
    expect(textOf(evidence('', { ...silent, error: 'socket hang up' }))).toMatch(/no answer.*socket hang up/s);
  });

  it('shows the first and the last of hundreds of exchanges', () => {
    const many = Array.from({ length: 300 }, (_, index) => exchange(`x${index}`));
    const root = evidence('', ...many);
    expect(elements(root).filter(({ attributes }) => attributes.class === 'exchange')).toHaveLength(24);
    expect(textOf(root)).toContain('276 exchanges between these');
  });
});
