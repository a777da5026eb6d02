// The small parts that every section of the page uses: chips, counts, lists.
import { type Counts, isPartial, type State, verdicts, wordOf } from '../../counts.js';
import { html, type Markup } from './markup.js';

/** A state as a coloured word; `in part` where a good one speaks for some of the cases only. */
export function chip(state: State, counts?: Counts): Markup {
  const part = counts && state === 'passed' && isPartial(counts) ? html` <span class="dim">in part</span>` : undefined;
  return html`<span class="chip ${state}">${wordOf(state)}</span>${part}`;
}

/** The counts that are not zero, in words: `2 failed, 30 passed`. */
export function countsInWords(counts: Counts): string {
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict].toLocaleString('en-US')} ${wordOf(verdict)}`)
    .join(', ');
}

/** A section with its heading; nothing where it has no content. */
export function section(id: string, title: string, content: readonly Markup[]): Markup | undefined {
  if (content.length === 0) return undefined;
  return html`<section id="${id}"><h2>${title}</h2>
${content}
</section>`;
}

/** A folded list of case ids. */
export function foldedIds(title: string, ids: readonly string[]): Markup {
  return html`<details><summary>${title}</summary><ul class="ids">
${ids.map((id) => html`<li>${id}</li>`)}
</ul></details>`;
}
