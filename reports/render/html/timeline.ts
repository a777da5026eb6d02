// The timeline of a stream: the events of a watch, or the frames of a connection in both directions.
import type { Exchange, Frame, StreamEvent } from '../../../suites/requirements/index.js';
import { countOf } from '../../page/words.js';
import { bodyInShort, bodyLimit, bodyMarkup, noMarks } from './body.js';
import { html, type Markup } from './markup.js';

/** The channels of exec and attach. Those of port-forward are pairs, one for each port. */
const channels = ['stdin', 'stdout', 'stderr', 'error', 'resize'];

/**
 * Returns the timeline of an exchange; undefined if nothing was streamed. A stream may be endless, so its events share
 * the limit of one body.
 */
export function timelineMarkup({ events = [], frames = [], request, milliseconds }: Exchange): Markup | undefined {
  const all: readonly (StreamEvent | Frame)[] = [...events, ...frames].sort((a, b) => a.at - b.at);
  if (all.length === 0) return undefined;
  const named = /\/(exec|attach)(\?|$)/.test(request.url);
  const rows: Markup[] = [];
  let left = bodyLimit;
  for (const event of all) {
    if (left <= 0) break;
    rows.push(row(event, left, named));
    left -= (event.data.text ?? event.data.base64 ?? '').length + 40;
  }
  const rest = all.length - rows.length;
  return html`<div class="timeline"><h4>Timeline: ${countOf(all.length, events.length > 0 ? 'event' : 'frame')}</h4>
${strip(all, milliseconds)}
<ol>${rows}</ol>
${rest > 0 ? html`<p class="dim">${rest.toLocaleString('en-US')} more, in evidence.jsonl.gz</p>` : undefined}</div>`;
}

function row(event: StreamEvent | Frame, left: number, named: boolean): Markup {
  const { at, data } = event;
  const way =
    'direction' in event
      ? html`<span class="way ${event.direction === 'sent' ? 'sent' : 'received'}">${event.direction === 'sent' ? '→ sent' : '← received'}</span> `
      : undefined;
  const channel =
    'channel' in event && event.channel !== undefined
      ? html`<span class="dim">channel ${event.channel}${named && channels[event.channel] ? ` (${channels[event.channel]})` : ''}</span> `
      : undefined;
  const short = summaryOf(data.text);
  const whole = (data.text ?? data.base64 ?? '').length > 160;
  return html`<li><span class="at">+${Math.round(at)} ms</span> ${way}${channel}${
    whole || short !== undefined
      ? html`<details class="more"><summary>${short ?? bodyInShort(data)}</summary><pre tabindex="0">${bodyMarkup(data, noMarks, left)}</pre></details>`
      : html`<code>${bodyInShort(data)}</code>`
  }</li>`;
}

/** Returns a watch event in a few words: its type, its object and its version. */
function summaryOf(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('{')) return undefined;
  const event = parsed(text);
  const type = textAt(event, 'type');
  if (type === undefined) return undefined;
  const object = fieldOf(event, 'object');
  const metadata = fieldOf(object, 'metadata');
  const version = textAt(metadata, 'resourceVersion');
  const name = textAt(metadata, 'name') ?? textAt(object, 'message');
  return [type, textAt(object, 'kind'), name, version && `at ${version}`].filter(Boolean).join(' ').slice(0, 200);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  const found = fieldOf(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** Returns the positions of the events on the time of the exchange. */
function strip(all: readonly (StreamEvent | Frame)[], milliseconds: number): Markup {
  const end = Math.max(milliseconds, all.at(-1)?.at ?? 0, 1);
  const marks = all.slice(0, 500).map((event) => {
    const sent = 'direction' in event && event.direction === 'sent';
    const x = Math.min(Math.max((event.at / end) * 995, 0), 995);
    return html`<rect class="${sent ? 'sent' : 'received'}" x="${x.toFixed(1)}" y="${sent ? 0 : 6}" width="4" height="5"></rect>`;
  });
  return html`<svg class="strip" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">${marks}</svg>`;
}
