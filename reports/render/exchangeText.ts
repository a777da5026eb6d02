// An exchange as text, as on the wire.
import type { Exchange, Frame, Header, RecordedBody, StreamEvent } from '../../suites/requirements/index.js';
import { cutTo, visible } from './visible.js';

/** The longest body in a report, in characters. */
const bodyLimit = 16 * 1024;

/** Returns the request: line, headers, body. */
export function requestText({ request }: Exchange, limit = bodyLimit): string {
  return visible([`${request.method} ${request.url}`, ...message(request.headers, request.body, limit)].join('\n'));
}

/** Returns the response: status, headers, body and streamed events; or the error if there was no response. */
export function responseText(exchange: Exchange, limit = bodyLimit): string {
  const { response, error, milliseconds, events = [], frames = [], standIn = [] } = exchange;
  const lines = [
    ...(response
      ? [`${response.status}, after ${Math.round(milliseconds)} ms`, ...message(response.headers, response.body, limit)]
      : []),
    ...(error === undefined ? [] : [`no answer after ${Math.round(milliseconds)} ms: ${error}`]),
    ...timeline(events, limit),
    ...timeline(frames, limit),
    ...standIn.flatMap((seen) => [
      '',
      `Seen by ${seen.by}:`,
      requestText(seen, limit),
      ...(seen.error === undefined ? [] : [seen.error]),
    ]),
  ];
  return visible(lines.join('\n'));
}

/** Returns the request and the response in one text. */
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

// A stream may be endless, so all events share the limit of one body.
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
