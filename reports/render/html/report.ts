// The report as one HTML page that works offline, with additional files for evidence that does not fit on the page.

import type { Evidence } from '../../judge/evidence.js';
import type { PastRun } from '../../judge/history.js';
import { headingOf, limitedTexts, selectionWords } from '../../judge/outcome.js';
import type { Verdict } from '../../judge/verdict.js';
import { countOf } from '../../page/words.js';
import { cutTo } from '../../safeText.js';
import { islandOf } from './data.js';
import { htmlDocument } from './document.js';
import { evidenceMarkup } from './evidence.js';
import { type AdditionalFile, type AdditionalSection, placeEvidence } from './evidencePlaces.js';
import { firstScreen, timeText } from './firstScreen.js';
import {
  aliasedList,
  capabilityList,
  casesByReason,
  deviationList,
  requirementsWithout,
  retryList,
  staleList,
  textList,
} from './lists.js';
import { chip } from './marks.js';
import { html, jsonElement, type Markup, treesOf } from './markup.js';
import { overviewMarkup } from './overview.js';
import { requirementTable } from './requirements.js';
import { type Tab, tabsOf } from './tabs.js';

/** An additional file, by its path relative to the page. */
interface BesideText {
  readonly name: string;
  readonly text: string;
}

export interface HtmlReport {
  readonly page: string;
  /** The additional files, made one at a time, because together they may be large. */
  readonly beside: Iterable<BesideText>;
}

/**
 * Returns the report of a run. Without its script the page shows the verdict, the counts, the requirements and the
 * lists; the script adds the matrix, the filter, and every case with its evidence. `history`: the last runs on all
 * targets.
 */
export function renderHtml(verdict: Verdict, evidence: Evidence, history: readonly PastRun[] = []): HtmlReport {
  const { cases, requirements } = verdict;
  const { run } = evidence;
  const url = run?.target.url ?? '';
  const target = run?.target.name ?? 'No target';
  const runs = history.filter((one) => one.target === target);
  const placed = placeEvidence(cases, url);
  const shown = tabsOf(verdict);
  const contents: Readonly<Record<Tab['id'], readonly Markup[]>> = {
    matrix: [overviewMarkup(verdict, selectionWords(run).length > 0, view('matrix'), runs)],
    chapters: [view('chapters')],
    requirements: [requirementTable(requirements)],
    failures: [view('failures')],
    cases: [view('cases')],
    deviations: deviationList(cases),
    'not-supported': [...capabilityList(run), ...casesByReason(cases, 'not-supported')],
    skipped: casesByReason(cases, 'skipped'),
    untested: requirementsWithout(requirements),
    run: [
      ...listOf('Deviations to delete', staleList(verdict)),
      ...listOf('Absences to delete', textList(verdict.staleAbsences.map(({ message }) => message))),
      ...listOf('Fixed since the baseline', textList(verdict.fixed?.map(({ id }) => id) ?? [])),
      ...listOf(`Under another version (${verdict.aliased.line})`, aliasedList(verdict)),
      ...listOf('Passed by a retry', retryList(cases)),
      ...listOf('Left on the target', textList(verdict.leftovers)),
      ...listOf('Outages of the target', textList(verdict.outages)),
      ...listOf('Notes on the evidence', textList(verdict.notes)),
      ...listOf('Beyond what the suite knows', textList(verdict.beyond)),
    ],
  };
  const sections = shown.map(
    ({
      id,
      title,
    }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"${id === 'matrix' ? html` class="unseen"` : undefined}>${title}</h2>
${contents[id]}
</section>`,
  );
  const body = html`<a class="skip" href="#content">Skip to the content</a>
${firstScreen(verdict, evidence, runs)}
<nav class="views" id="views" aria-label="Views"><ul>${shown.map(tab)}</ul><button type="button" class="ask needs-script" aria-expanded="false" aria-controls="filter">Filter</button></nav>
<main id="content" tabindex="-1">
<div id="filter" class="needs-script"></div>
${sections}
</main>
<footer><p>Made by kube-api-conformance ${run?.version}. In the curl lines and commands <code>$TOKEN</code> is a bearer token that the target accepts, <code>$CA</code> the file of the authority that signed its certificate.</p></footer>
${placed.evidence.map((markup, index) => jsonElement(`evidence-${index}`, treesOf(markup)))}
${jsonElement('data', islandOf(verdict, run, placed))}`;
  return {
    page: htmlDocument({
      title: titleOf(verdict, target),
      description: descriptionOf(verdict, evidence),
      body,
      script: 'main',
    }),
    beside: {
      *[Symbol.iterator]() {
        for (const file of placed.files) yield { name: file.name, text: renderAdditionalFile(file, target, url) };
      },
    },
  };
}

/** Returns the title for browser tabs and link previews. */
function titleOf(verdict: Verdict, target: string): string {
  return `${headingOf(verdict)}: ${target} · kube-api-conformance`;
}

/** Returns the description for link previews: the verdict line, the server and the time. */
function descriptionOf(verdict: Verdict, { run }: Evidence): string {
  const about =
    run && [run.target.serverVersion, timeText(run.startedAt)].filter((fact) => fact !== undefined).join(', ');
  return cutTo(`${limitedTexts(verdict).join('; ')}${about ? ` (${about})` : ''}`, 300);
}

/** Returns the place in which the script draws a view. */
function view(id: string): Markup {
  return html`<div id="${id}-view"><p class="needs-none dim">This view is drawn by the script of this page, which does not run here. The requirements below have everything but the single cases.</p></div>`;
}

function tab({ id, title, count }: Tab): Markup {
  const number =
    count === undefined
      ? undefined
      : html` <span class="count" title="${countOf(count, 'case')}">${count.toLocaleString('en-US')}</span>`;
  return html`<li><a href="#${id}" data-to="#${id}"${id === 'failures' && count ? html` class="failures"` : undefined}>${title}${number}</a></li>`;
}

function listOf(title: string, content: readonly Markup[]): Markup[] {
  return content.length === 0 ? [] : [html`<h3>${title}</h3>\n${content}`];
}

/** `target` is the name of the target, `url` its URL. */
function renderAdditionalFile({ name, sections }: AdditionalFile, target: string, url: string): string {
  const title = `${target}: ${name}`;
  const body = html`<header class="top"><p class="target">${target}</p><h1 class="aside">${name}</h1>
<p><a href="../index.html#cases">Back to the report</a></p></header>
<main>${sections.map((section) => sectionMarkup(section, url))}</main>`;
  return htmlDocument({ title, body, script: 'copy' });
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
      ? html`<h4>The same exchanges show ${countOf(others.length, 'more case')}</h4><ul class="plain">${rows}</ul>`
      : undefined;
  return html`<section id="${id}" class="requirement"><h2>${first.subject}</h2>
<p>${chip(first.verdict)} <code>${first.requirement.id}</code> ${first.requirement.row.text} <span class="dim">${first.requirement.row.level} · rule ${first.requirement.row.rule}</span></p>
${also}
${evidenceMarkup(first, url)}</section>`;
}
