// An exchange as text, the way it looked on the wire.
import type { Exchange, Frame, Header, RecordedBody, StreamEvent } from '../../matrix/requirements/index.js';
import { cutTo, visible } from './visible.js';

/** The longest body that a report shows, in characters. */
const bodyLimit = 16 * 1024;

/** The request: line, headers, body. */
function requestText({ request }: Exchange, limit = bodyLimit): string {
  return visible([`${request.method} ${request.url}`, ...message(request.headers, request.body, limit)].join('\n'));
}

/** The answer: status, headers, body, and what streamed after it; or the error that stands in its place. */
function responseText(exchange: Exchange, limit = bodyLimit): string {
  const { response, error, milliseconds, events = [], frames = [], standIn = [] } = exchange;
  const lines = [
    ...(response
      ? [`${response.status}, after ${Math.round(milliseconds)} ms`, ...message(response.headers, response.body, limit)]
      : []),
    ...(error === undefined ? [] : [`no answer after ${Math.round(milliseconds)} ms: ${error}`]),
    ...timeline(events, limit),
    ...timeline(frames, limit),
    ...standIn.flatMap((seen) => ['', 'A stand-in saw:', requestText(seen, limit), responseText(seen, limit)]),
  ];
  return visible(lines.join('\n'));
}

/** Request and answer in one text. */
export function exchangeText(exchange: Exchange, limit = bodyLimit): string {
  return `${requestText(exchange, limit)}\n\n${responseText(exchange, limit)}`;
}

function message(headers: readonly Header[], body: RecordedBody | undefined, limit: number): string[] {
  return [...headers.map(([name, value]) => `${name}: ${value}`), ...(body ? ['', bodyText(body, limit)] : [])];
}

function bodyText({ text, base64, bytes, cut }: RecordedBody, limit: number): string {
  const shown = cutTo(text ?? base64 ?? '', limit);
  const facts = [...(base64 === undefined ? [] : ['base64']), ...(cut ? ['cut when recorded'] : [])];
  return facts.length === 0 ? shown : `${shown}\n(${[`${bytes} bytes`, ...facts].join(', ')})`;
}

// A stream may be endless: the events share the limit of one body.
function timeline(events: readonly (StreamEvent | Frame)[], limit: number): string[] {
  const lines: string[] = [];
  let left = limit;
  for (const [index, event] of events.entries()) {
    if (left <= 0) return [...lines, `(${events.length - index} events more)`];
    const channel = 'channel' in event ? ` channel ${event.channel}` : '';
    const way = 'direction' in event ? ` ${event.direction}${channel}` : '';
    const line = `+${Math.round(event.at)} ms${way}: ${bodyText(event.data, left)}`;
    left -= line.length;
    lines.push(line);
  }
  return lines.length === 0 ? [] : ['', ...lines];
}
