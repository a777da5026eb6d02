// Small parts that all sections of the page use: chips, counts, bars.
import { type Counts, isPartial, type State, totalOf, verdicts } from '../../judge/counts.js';
import { stateCount, stateWord, symbolOf } from '../../page/words.js';
import { html, type Markup } from './markup.js';

/** Returns a state as a sign and a word in its colour; adds `in part` if a good state covers only some of the cases. */
export function chip(state: State, counts?: Counts): Markup {
  const part = counts && state === 'passed' && isPartial(counts) ? html` <span class="dim">in part</span>` : undefined;
  return html`<span class="chip ${state}"><span aria-hidden="true">${symbolOf(state)}</span> ${stateWord(state)}</span>${part}`;
}

/** Returns the counts that are not zero, in words: `2 failed, 30 passed`. */
export function countsInWords(counts: Counts): string {
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => stateCount(counts[verdict], verdict))
    .join(', ');
}

/** Returns counts as a bar; the width of each part is its share, but never too small to be visible. */
export function countsBar(label: string, counts: Counts): Markup {
  const all = totalOf(counts);
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
