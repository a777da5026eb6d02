// The evidence of one case: what was expected and what came, and the exchanges that show it.
import type { JudgedCase } from '../../counts.js';
import { differenceOf, marksOf, namedExchange } from './difference.js';
import { exchangeMarkup } from './exchange.js';
import { html, type Markup } from './markup.js';

/** How many exchanges of one case are shown: some checks send hundreds. The first and the last tell most. */
const firstExchanges = 12;
const lastExchanges = 12;

/** Message and exchanges of a case. `url` is the target's. */
export function evidenceMarkup({ message = '', exchanges }: JudgedCase, url: string): Markup {
  const named = namedExchange(message, exchanges);
  const left = exchanges.length - firstExchanges - lastExchanges;
  const shown = exchanges.filter(
    (one, index) => one === named || left <= 0 || index < firstExchanges || index >= exchanges.length - lastExchanges,
  );
  const dropped = exchanges.length - shown.length;
  const blocks = shown.map((exchange) =>
    exchangeMarkup(exchange, {
      url,
      open: exchange === named,
      ...(exchange === named && { marks: marksOf(message, exchange) }),
    }),
  );
  return html`${messageMarkup(message)}
<h4 class="exchanges">${exchanges.length === 0 ? 'No exchange was recorded' : 'Exchanges, in the order in which they were sent'}</h4>
${blocks}
${dropped > 0 ? html`<p class="dim">${dropped} exchanges between these are in evidence.jsonl.</p>` : undefined}`;
}

function messageMarkup(message: string): Markup | undefined {
  if (message === '') return undefined;
  const difference = differenceOf(message);
  if (!difference) return html`<p class="message">${message}</p>`;
  const { what, path, expected, got } = difference;
  const where = path !== undefined && !what.includes(path) ? html` <code>${path}</code>` : undefined;
  return html`<p class="message">${what}${where}</p>
<dl class="difference"><div class="expected"><dt>expected</dt><dd>${expected}</dd></div><div class="got"><dt>got</dt><dd><mark>${got}</mark></dd></div></dl>`;
}
