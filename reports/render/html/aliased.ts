// The cases that ran under another version: their number in the title, and the message of each failure.
import { groupBy, isFailure, plural } from '../../counts.js';
import type { Verdict } from '../../verdict.js';
import { html, type Markup } from './markup.js';

/** Returns the requirements that failed under an alias, each with its first message; empty without aliased cases. */
export function aliasedList({ aliased: { cases } }: Verdict): Markup[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases.filter(isFailure), ({ requirement }) => requirement.id);
  const items = [...groups].map(
    ([id, [first, ...more]]) =>
      html`<li><code>${id}</code> ${first?.message ?? ''}${more.length > 0 ? html` <span class="dim">and ${plural(more.length, 'case')}</span>` : undefined}</li>`,
  );
  return [
    html`<p class="dim">The target serves these resources under another version, where they were tried. They are not scored.</p>`,
    ...(items.length === 0 ? [] : [html`<ul class="plain">${items}</ul>`]),
  ];
}
