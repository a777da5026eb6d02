// One exchange: the request, the response, its streamed events, the requests that backends received, and a curl line.
import type { Exchange } from '../../../suites/requirements/index.js';
import { countOf } from '../../page/words.js';
import { curlLine } from '../curl.js';
import { type MessageMarks, messageBlock, noMarks } from './body.js';
import { html, type Markup } from './markup.js';
import { timelineMarkup } from './timeline.js';

/** Returns a block of text with a button that copies it. */
function copyable(label: string, text: string): Markup {
  return html`<div class="copyable"><h4>${label}</h4><pre tabindex="0">${text}</pre><button type="button" class="copy" aria-label="Copy: ${label}">Copy</button><span class="told" role="status"></span></div>`;
}

export interface ExchangeLook {
  readonly url: string;
  readonly open: boolean;
  readonly marks?: MessageMarks;
}

/** Returns the exchange, folded unless `open` is set. */
export function exchangeMarkup(exchange: Exchange, { url, open, marks = noMarks }: ExchangeLook): Markup {
  const { request, response, error, milliseconds } = exchange;
  const status = response ? html`${response.status}` : html`no answer`;
  const answer = response
    ? messageBlock('Response', response.headers, response.body, marks)
    : html`<p class="message">${error ?? 'no answer was recorded'}</p>`;
  const afterwards = response && error !== undefined ? html`<p class="message">${error}</p>` : undefined;
  const cut = request.body?.cut ? ' (its body was cut when it was recorded)' : '';
  return html`<details class="exchange"${open ? html` open` : undefined}><summary><b>${request.method}</b> <code>${shownUrl(request.url, url)}</code> <span class="status">→ ${marks.status ? html`<mark>${status}</mark>` : status}</span> <span class="dim">${Math.round(milliseconds)} ms</span></summary>
<div class="messages"><div><h4>Request</h4>${messageBlock('Request', request.headers, request.body)}</div>
<div><h4>Response</h4>${answer}${afterwards}</div></div>
${timelineMarkup(exchange)}
${tlsFacts(exchange)}
${farSide(exchange, url)}
${copyable(`The same with curl${cut}`, curlLine(exchange, url))}
</details>`;
}

/** Returns the path of an exchange with the target; the whole URL of an exchange with another server. */
function shownUrl(address: string, target: string): string {
  const base = target.replace(/(?<!\/)\/+$/, '');
  return base !== '' && address.startsWith(`${base}/`) ? address.slice(base.length) : address;
}

function tlsFacts({ tls }: Exchange): Markup | undefined {
  if (!tls) return undefined;
  const facts: readonly (readonly [string, string])[] = [
    ['TLS', tls.protocol],
    ['certificate of the server', tls.authorized ? 'verified' : 'not verified'],
    ['certificate of the client', tls.clientCertificate ?? 'none'],
  ];
  return html`<dl class="tls">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function farSide({ standIn = [] }: Exchange, url: string): Markup | undefined {
  if (standIn.length === 0) return undefined;
  return html`<div class="far"><h4>What the far side saw (${countOf(standIn.length, 'request')})</h4>
${standIn.map(
  (seen) => html`<p class="dim">${seen.by}</p>
${exchangeMarkup(seen, { url, open: false })}`,
)}</div>`;
}
