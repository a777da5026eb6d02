// The report as one HTML page that works offline, with additional files for evidence that does not fit on the page.
import { choiceOf } from '../../suites/requirements/index.js';
import { choiceWords } from '../choiceText.js';
import type { Evidence } from '../evidence.js';
import { notedLines } from '../noted.js';
import type { Verdict } from '../verdict.js';
import { renderAdditionalFile } from './html/additionalFile.js';
import { aliasedList } from './html/aliased.js';
import { islandOf } from './html/data.js';
import { document } from './html/document.js';
import { place } from './html/evidencePlaces.js';
import { firstScreen, verdictWords, when } from './html/firstScreen.js';
import { capabilityList, casesByReason, deviationList, lines, requirementsWithout, staleList } from './html/lists.js';
import { html, jsonElement, type Markup } from './html/markup.js';
import { overview } from './html/overview.js';
import { requirementTable } from './html/requirements.js';
import { type Tab, tabs } from './html/tabs.js';
import { treesOf } from './html/tree.js';
import { cutTo } from './visible.js';

/** An additional file, by its path relative to the page. */
interface BesideText {
  readonly name: string;
  readonly text: string;
}

/** The page, and its additional files. */
export interface HtmlReport {
  readonly page: string;
  /** The additional files, made one at a time, because together they may be large. */
  readonly beside: Iterable<BesideText>;
}

/**
 * Returns the report of a run. Without its script the page shows the verdict, the counts, the requirements and the
 * lists; the script adds the matrix, the filter, and every case with its evidence.
 */
export function renderHtml(verdict: Verdict, evidence: Evidence): HtmlReport {
  const { cases, requirements } = verdict;
  const { run } = evidence;
  const url = run?.target.url ?? '';
  const target = run?.target.name ?? 'No target';
  const placed = place(cases, url);
  const shown = tabs(verdict);
  const contents: Readonly<Record<Tab['id'], readonly Markup[]>> = {
    matrix: [overview(verdict, run !== undefined && choiceWords(choiceOf(run)).length > 0, view('matrix'))],
    chapters: [view('chapters')],
    requirements: [requirementTable(requirements)],
    cases: [view('cases')],
    deviations: deviationList(cases),
    'not-supported': [...capabilityList(run), ...casesByReason(cases, 'not-supported')],
    skipped: casesByReason(cases, 'skipped'),
    'not-checked': requirementsWithout(requirements),
    run: [
      ...listOf('Deviations to delete', staleList(verdict)),
      ...listOf('Absences to delete', lines(verdict.staleAbsences.map(({ message }) => message))),
      ...listOf('Fixed since the baseline', lines(verdict.fixed?.map(({ id }) => id) ?? [])),
      ...listOf(`Under another version (${verdict.aliased.line})`, aliasedList(verdict)),
      ...listOf('Left on the target', lines(verdict.leftovers)),
      ...listOf('Outages of the target', lines(verdict.outages)),
      ...listOf('Notes on the evidence', lines(verdict.notes)),
      ...listOf('Beyond what the suite knows', lines(notedLines(evidence.cases.values()))),
    ],
  };
  const sections = shown
    .filter(({ failures }) => !failures)
    .map(
      ({
        id,
        title,
      }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"${id === 'matrix' ? html` class="unseen"` : undefined}>${title}</h2>
${contents[id]}
</section>`,
    );
  const body = html`<a class="skip" href="#content">Skip to the content</a>
${firstScreen(verdict, evidence)}
<nav class="views" id="views" aria-label="Views"><ul>${shown.map(tab)}</ul><button type="button" class="ask needs-script" aria-expanded="false" aria-controls="filter">Filter</button></nav>
<main id="content" tabindex="-1">
<div id="filter" class="needs-script"></div>
${sections}
</main>
<footer><p>Made by kube-api-conformance ${run?.version}. In the curl lines and commands <code>$TOKEN</code> is a bearer token that the target accepts, <code>$CA</code> the file of the authority that signed its certificate.</p></footer>
${placed.evidence.map((markup, index) => jsonElement(`evidence-${index}`, treesOf(markup)))}
${jsonElement('data', islandOf(verdict, run, placed))}`;
  return {
    page: document({
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
function titleOf({ outcome }: Verdict, target: string): string {
  return `${verdictWords[outcome]}: ${target} · kube-api-conformance`;
}

/** Returns the description for link previews: the verdict line, the server and the time. */
function descriptionOf({ line }: Verdict, { run }: Evidence): string {
  const about = run && [run.target.serverVersion, when(run.startedAt)].filter((fact) => fact !== undefined).join(', ');
  return cutTo(about ? `${line} (${about})` : line, 300);
}

/** Returns the place in which the script draws a view. */
function view(id: string): Markup {
  return html`<div id="${id}-view"><p class="needs-none dim">This view is drawn by the script of this page, which does not run here. The requirements below have everything but the single cases.</p></div>`;
}

function tab({ id, title, count, failures }: Tab): Markup {
  const to = failures ? '#cases?verdict=failed,blocked' : `#${id}`;
  const number = count === undefined ? undefined : html` <span class="count">${count.toLocaleString('en-US')}</span>`;
  return html`<li><a href="${to}" data-to="${to}"${failures && count ? html` class="failures"` : undefined}>${failures ? 'Failures' : title}${number}</a></li>`;
}

function listOf(title: string, content: readonly Markup[]): Markup[] {
  return content.length === 0 ? [] : [html`<h3>${title}</h3>\n${content}`];
}
