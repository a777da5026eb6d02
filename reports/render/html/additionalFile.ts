// An additional file of the page: the evidence of cases that do not fit on the page.
import { plural } from '../../counts.js';
import { levelWord } from '../../page/words.js';
import { document } from './document.js';
import { evidenceMarkup } from './evidence.js';
import type { AdditionalFile, AdditionalSection } from './evidencePlaces.js';
import { chip } from './marks.js';
import { html, type Markup } from './markup.js';

/** Returns the whole file. `target` is the name of the target, `url` its URL. */
export function renderAdditionalFile({ name, sections }: AdditionalFile, target: string, url: string): string {
  const title = `${target}: ${name}`;
  const body = html`<header class="top"><p class="target">${target}</p><h1 class="aside">${name}</h1>
<p><a href="../index.html#cases">Back to the report</a></p></header>
<main>${sections.map((section) => sectionMarkup(section, url))}</main>`;
  return document({ title, body, script: 'beside' });
}

function sectionMarkup({ id, cases }: AdditionalSection, url: string): Markup {
  const [first, ...others] = cases;
  if (!first) return html``;
  const rows = others.map(
    (judged) => html`<li>${chip(judged.verdict)} <code>${judged.requirement.id}</code> ${judged.requirement.row.text}
<p class="message">${judged.message}</p></li>`,
  );
  const also =
    rows.length > 0
      ? html`<h4>The same exchanges show ${plural(others.length, 'more case')}</h4><ul class="plain">${rows}</ul>`
      : undefined;
  return html`<section id="${id}" class="requirement"><h2>${first.subject}</h2>
<p>${chip(first.verdict)} <code>${first.requirement.id}</code> ${first.requirement.row.text} <span class="dim">${levelWord(first.requirement.row.level)} · rule ${first.requirement.row.rule}</span></p>
${also}
${evidenceMarkup(first, url)}</section>`;
}
