// The evidence of one case: the expected and the actual value, and the exchanges.
import type { Exchange } from '../../../suites/requirements/index.js';
import type { JudgedCase } from '../../judge/counts.js';
import {
  cutAround,
  decidingExchange,
  differenceOf,
  type MarkedText,
  markDifference,
} from '../../judge/failureMessage.js';
import { countOf } from '../../page/words.js';
import { marksOf } from './body.js';
import { exchangeMarkup } from './exchange.js';
import { html, type Markup } from './markup.js';

/**
 * The number of exchanges of one case that are shown; some checks send hundreds. The first and the last matter most.
 */
const firstExchanges = 12;
const lastExchanges = 12;

/** Returns the message and the exchanges of a case, the deciding exchange first. `url` is the URL of the target. */
export function evidenceMarkup(
  { message = '', exchanges }: JudgedCase,
  url: string,
  which: 'all' | 'decisive' = 'all',
): Markup {
  const named = decidingExchange({ message, exchanges });
  if (!named) return html`${messageMarkup(message)}<p class="dim">No exchange was recorded.</p>`;
  return html`${messageMarkup(message)}
${exchangeMarkup(named, { url, open: true, marks: marksOf(message, named) })}
${which === 'all' ? others(exchanges, named, url) : elsewhere(exchanges)}`;
}

function elsewhere({ length }: readonly Exchange[]): Markup | undefined {
  if (length === 1) return undefined;
  return html`<p class="dim">${countOf(length - 1, 'exchange')} before and after it: see evidence.jsonl.gz.</p>`;
}

function others(exchanges: readonly Exchange[], named: Exchange, url: string): Markup | undefined {
  if (exchanges.length === 1) return undefined;
  const left = exchanges.length - firstExchanges - lastExchanges;
  const shown = exchanges.filter(
    (one, index) => one === named || left <= 0 || index < firstExchanges || index >= exchanges.length - lastExchanges,
  );
  const dropped = exchanges.length - shown.length;
  const blocks = shown.map((one) =>
    one === named
      ? html`<p class="dim">… ${one.request.method}, shown above …</p>`
      : exchangeMarkup(one, { url, open: false }),
  );
  return html`<details class="others"><summary>${countOf(exchanges.length - 1, 'exchange')} before and after it, in order</summary>
${blocks}
${dropped > 0 ? html`<p class="dim">${countOf(dropped, 'exchange')} between these: see evidence.jsonl.gz.</p>` : undefined}</details>`;
}

/** Returns a value, with the difference marked on request. */
const side = ({ before, differs, after }: MarkedText, isMarked: boolean): Markup =>
  html`${before}${isMarked && differs !== '' ? html`<mark>${differs}</mark>` : differs}${after}`;

function messageMarkup(message: string): Markup | undefined {
  if (message === '') return undefined;
  const difference = differenceOf(message);
  if (!difference) return html`<p class="message">${message}</p>`;
  const { what, path, expected, got } = difference;
  const [wanted, came] = markDifference(expected, got).map((one) => cutAround(one, 200, 600)) as [
    MarkedText,
    MarkedText,
  ];
  const where = path !== undefined && !what.includes(path) ? html` <code>${path}</code>` : undefined;
  return html`<p class="message">${what}${where}</p>
<dl class="difference"><div class="expected"><dt>expected</dt><dd>${side(wanted, came.differs === '')}</dd></div><div class="got"><dt>got</dt><dd>${side(came, true)}</dd></div></dl>`;
}
