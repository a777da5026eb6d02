// The overview: the failing requirements beside the map of kinds and verbs, or the chapters if nothing fails.
import { groupBy } from '../../../matrix/api/groupBy.js';
import { countVerdicts, rulesOf, totalOf } from '../../judge/counts.js';
import {
  aboutOf,
  byCommonCause,
  type CauseGroup,
  type FailureGroup,
  groupsOfRun,
  levelOf,
  standingOf,
  symptomsText,
} from '../../judge/failureGroups.js';
import type { Example, MarkedText } from '../../judge/failureMessage.js';
import { failingSince, type PastRun } from '../../judge/history.js';
import type { Verdict } from '../../judge/verdict.js';
import { fragmentOf } from '../../page/filter.js';
import { countOf, moreOf, symbolOf } from '../../page/words.js';
import { countsBar } from './marks.js';
import { html, type Markup } from './markup.js';

/** The number of rows of failing requirements, unfolded and in all; the others are in the list of requirements. */
const shownRows = { open: 12, all: 300 } as const;

/**
 * Returns the overview. `part`: not all cases were selected. `map`: the place for the kinds and verbs. `runs`: the last
 * runs on the target.
 */
export function overviewMarkup(verdict: Verdict, part: boolean, map: Markup, runs: readonly PastRun[]): Markup {
  const groups = groupsOfRun(verdict);
  return html`<div class="overview${groups.length === 0 ? ' green' : ''}">
<div class="causes">${groups.length === 0 ? chapterList(verdict, part) : failingList(groups, runs)}</div>
<div class="map">${map}</div>
<div class="pane needs-script" id="pane" role="region" aria-label="Requirements of the chosen kind and verb" aria-live="polite"></div>
</div>`;
}

function failingList(groups: readonly FailureGroup[], runs: readonly PastRun[]): Markup {
  const counts = (['required', 'recommended'] as const).map((level) => {
    const own = groups.filter((group) => levelOf(group) === level);
    return `${own.length.toLocaleString('en-US')} ${level}`;
  });
  const title = `${countOf(groups.length, 'requirement')} ${groups.length === 1 ? 'fails' : 'fail'}: ${counts.join(', ')}`;
  const causes = byCommonCause(groups.slice(0, shownRows.all));
  const rows = causes.map((cause, index) => causeRow(cause, index, runs));
  const folded = rows.slice(shownRows.open);
  const rest = Math.max(0, groups.length - shownRows.all);
  return html`<h2>${title}</h2>
<p class="dim">${countOf(causes.length, 'cause')}, the worst first.</p>
<ol class="cause-list">${rows.slice(0, shownRows.open)}</ol>
${folded.length > 0 ? html`<details class="fold"><summary>${moreOf(folded.length, 'cause')}</summary><ol class="cause-list">${folded}</ol></details>` : undefined}
${rest > 0 ? html`<p class="dim">${moreOf(rest, 'requirement')}: see <a href="#requirements">the requirements</a>.</p>` : undefined}`;
}

/** Returns the requirement that shows a cause most, with the others folded below it. */
function causeRow({ shown, symptoms }: CauseGroup, index: number, runs: readonly PastRun[]): Markup {
  if (symptoms.length === 0) return groupRow(shown, index, runs);
  const rows = symptoms.map((one) => groupRow(one, index, runs));
  const folded = html`<details class="fold symptoms"><summary>${symptomsText(symptoms)}</summary><ol class="cause-list">${rows}</ol></details>`;
  return groupRow(shown, index, runs, folded);
}

function groupRow(group: FailureGroup, index: number, runs: readonly PastRun[], below?: Markup): Markup {
  const { requirement, fraction, share, blocked, example } = group;
  const since = runs.length < 2 ? undefined : failingSince(runs, group.requirement.id)?.slice(0, 10);
  const facts = [standingOf(group), aboutOf(group)].filter(Boolean);
  const { id, row } = requirement;
  const verdict = blocked ? 'blocked' : 'failed';
  const level = levelOf(group);
  const href = fragmentOf({ view: 'failures', filter: { requirement: id } });
  return html`<li class="cause ${verdict} ${level}${index > 5 ? ' later' : ''}" data-requirement="${id}">
<label class="switch needs-script" title="Count this requirement in the map"><input type="checkbox" checked name="off" value="${id}"><span class="unseen">Count ${id} in the map</span></label>
<a href="${href}"><span class="sign" aria-hidden="true">${symbolOf(verdict)}</span> ${row.text} <b class="fraction">${fraction}</b></a>
<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${verdict}" width="${Math.max(2, 100 * share).toFixed(1)}" height="1"></rect></svg>
<p class="dim"><code>${id}</code> · ${facts.join(' · ')}${since === undefined ? undefined : html` · <span class="since">since ${since}</span>`}</p>
<p class="example">${exampleMarkup(example)}</p>${below}</li>`;
}

/** Returns an example in one line, with the difference marked. */
function exampleMarkup({ what, compared }: Example): Markup {
  if (compared === undefined) return html`<code>${what}</code>`;
  const side = ({ before, differs, after }: MarkedText): Markup =>
    html`<code>${before}${differs === '' ? undefined : html`<mark>${differs}</mark>`}${after}</code>`;
  return html`<code>${what}</code>: expected ${side(compared.expected)}, got ${side(compared.got)}`;
}

/** Returns the chapters of a run without failures, each with the number of passed cases. */
function chapterList({ requirements, outcome }: Verdict, part: boolean): Markup {
  const chapters = groupBy(
    requirements.filter(({ cases }) => cases.length > 0),
    ({ requirement }) => requirement.chapter,
  );
  const rows = [...chapters].map(([chapter, members]) => {
    const counts = countVerdicts(members.flatMap(({ cases }) => cases));
    const numbers = `${counts.passed.toLocaleString('en-US')} of ${totalOf(counts).toLocaleString('en-US')}`;
    return html`<li data-chapter="${chapter}"><a href="${fragmentOf({ view: 'cases', filter: { chapter } })}">${chapter}</a> ${countsBar(chapter, counts)} <span class="number">${numbers}</span></li>`;
  });
  if (rows.length === 0) return html`<h2>No case was run</h2>`;
  return html`<h2>${outcome === 'could-not-run' ? 'No requirement was seen to fail' : holdText(requirements, part)}</h2>
<ul class="chapter-list">${rows}</ul>`;
}

/** Says how many of what is required holds where nothing fails: the sum of the head. */
function holdText(requirements: Verdict['requirements'], part: boolean): string {
  const { judged, held } = rulesOf('required', requirements);
  const [all, kept] = [judged.toLocaleString('en-US'), held.toLocaleString('en-US')];
  if (held < judged) return `Required: ${kept} of ${all} hold, ${countOf(judged - held, 'known deviation')}`;
  if (judged < 2) return `Required: ${judged === 0 ? `none${part ? ' selected' : ''}` : 'the only one holds'}`;
  return `Required: all ${all}${part ? ' selected' : ''} hold`;
}
