// A message as on the wire: headers, then the body on several lines, with the parts that the failure names marked.
import type { Exchange, Header, RecordedBody } from '../../../suites/requirements/index.js';
import { differenceOf } from '../../judge/failureMessage.js';
import { cutTo } from '../../safeText.js';
import { html, type Markup } from './markup.js';
import { type BodyLine, prettyJson } from './pretty.js';

/** The longest body in a report, in characters. */
export const bodyLimit = 16 * 1024;

/** The parts of an exchange to mark. */
export interface MessageMarks {
  readonly status: boolean;
  /** The names of response headers, in lower case. */
  readonly headers: ReadonlySet<string>;
  /** The path of a line in the body; if the line is absent, the nearest ancestor is marked. */
  readonly path?: string;
  /** A text to search for if no path is known. */
  readonly value?: string;
}

export const noMarks: MessageMarks = { status: false, headers: new Set() };

/** Returns the parts of a response that the message names. */
export function marksOf(message: string, exchange: Exchange): MessageMarks {
  const { response } = exchange;
  if (!response) return noMarks;
  const difference = differenceOf(message);
  const status = difference !== undefined && new RegExp(`^${response.status}\\b`).test(difference.got);
  const said = message.toLowerCase();
  const named = (name: string): boolean =>
    (name.includes('-') && said.includes(name)) || (name === 'content-type' && /media type|content type/.test(said));
  const headers = new Set(response.headers.map(([name]) => name.toLowerCase()).filter(named));
  if (difference?.path !== undefined) return { status, headers, path: difference.path };
  const value = difference?.got.replace(/^\d{3} /, '').replace(/^"|"$/g, '') ?? '';
  const useful = value.length >= 3 && value.length <= 200 && value !== 'absent';
  return { status, headers, ...(useful && { value }) };
}

export function messageBlock(
  label: string,
  headers: readonly Header[],
  body: RecordedBody | undefined,
  marks: MessageMarks = noMarks,
): Markup {
  const lines = headers.map(([name, value]) => {
    const text = html`<b>${name}:</b> ${value}`;
    return marks.headers.has(name.toLowerCase()) ? html`<mark>${text}</mark>` : text;
  });
  const shown = body && body.bytes > 0 ? html`${lines.length > 0 ? '\n\n' : ''}${bodyMarkup(body, marks)}` : undefined;
  return html`<pre tabindex="0" aria-label="${label}">${separated(lines)}${shown}</pre>`;
}

export function bodyMarkup({ text, base64, bytes, cut }: RecordedBody, marks: MessageMarks, limit = bodyLimit): Markup {
  const whole = text ?? base64 ?? '';
  const kept = whole.slice(0, limit);
  const rest = whole.length - kept.length;
  const facts = [
    ...(base64 === undefined ? [] : ['base64']),
    ...(rest > 0 ? [`${rest.toLocaleString('en-US')} characters more`] : []),
    ...(cut ? ['cut when it was recorded'] : []),
  ];
  const note =
    facts.length > 0 ? html`\n<i>(${[`${bytes.toLocaleString('en-US')} bytes`, ...facts].join(', ')})</i>` : undefined;
  const lines = text === undefined ? undefined : prettyJson(kept, marks.path !== undefined);
  return html`${lines ? markLines(lines, marks) : markValue(kept, marks.value)}${note}`;
}

/** Returns a body in one line of text, for a row of a timeline. */
export function bodyInShort({ text, base64, bytes }: RecordedBody): string {
  if (bytes === 0) return '(empty)';
  return cutTo(text ?? `base64 ${base64 ?? ''}`, 160);
}

function markLines(lines: readonly BodyLine[], marks: MessageMarks): Markup {
  const marked = new Set(marks.path === undefined ? [] : [nearest(lines, marks.path)]);
  if (marked.size === 0 && marks.value !== undefined) {
    const { value } = marks;
    for (const line of lines) if (marked.size < 5 && line.text.includes(value)) marked.add(line);
  }
  if (marked.size === 0) return html`${lines.map(({ text }) => text).join('\n')}`;
  const parts = lines.map((line) => {
    if (!marked.has(line)) return html`${line.text}`;
    const indent = line.text.length - line.text.trimStart().length;
    return html`${line.text.slice(0, indent)}<mark>${line.text.slice(indent)}</mark>`;
  });
  return separated(parts);
}

/** Returns the line of a path, or the line of the nearest ancestor in the body. */
function nearest(lines: readonly BodyLine[], path: string): BodyLine | undefined {
  for (let around = path; ; around = around.replace(/(?:\.?[^.[\]]+|\[\d+\])$/, '')) {
    const found = lines.find((line) => line.path === around);
    if (found || around === '') return found;
  }
}

function markValue(text: string, value: string | undefined): Markup {
  const at = value === undefined ? -1 : text.indexOf(value);
  if (at === -1 || value === undefined) return html`${text}`;
  return html`${text.slice(0, at)}<mark>${value}</mark>${text.slice(at + value.length)}`;
}

/** Returns the lines as markup; the template puts newlines between them. */
function separated(lines: readonly Markup[]): Markup {
  return html`${lines}`;
}
