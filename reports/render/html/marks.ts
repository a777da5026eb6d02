// The small parts that every section of the page uses: chips, counts, bars.
import { type Counts, isPartial, type State, total, verdicts, wordOf } from '../../counts.js';
import { numbered, symbolOf } from '../../page/words.js';
import { html, type Markup } from './markup.js';

/** A state as a sign and a word in its colour; `in part` where a good one speaks for some of the cases only. */
export function chip(state: State, counts?: Counts): Markup {
  const part = counts && state === 'passed' && isPartial(counts) ? html` <span class="dim">in part</span>` : undefined;
  return html`<span class="chip ${state}"><span aria-hidden="true">${symbolOf(state)}</span> ${wordOf(state)}</span>${part}`;
}

/** The counts that are not zero, in words: `2 failed, 30 passed`. */
export function countsInWords(counts: Counts): string {
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => numbered(counts[verdict], verdict))
    .join(', ');
}

/** Counts as a bar; each part is as wide as its share, and wide enough to be seen. */
export function countsBar(label: string, counts: Counts): Markup {
  const all = total(counts);
  let at = 0;
  const parts = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => {
      const width = Math.max((100 * counts[verdict]) / all, 0.6);
      const part = html`<rect class="${verdict}" x="${at.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="1"></rect>`;
      at += width;
      return part;
    });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(at, 1).toFixed(2)} 1" preserveAspectRatio="none" role="img" aria-label="${label}: ${countsInWords(counts) || 'no case'}">${parts}</svg>`;
}
