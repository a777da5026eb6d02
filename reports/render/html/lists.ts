// The lists of all results that are neither passed nor failed, each with its reason.
import { groupBy } from '../../../matrix/api/groupBy.js';
import { type RunHeader, requirementsOf, subjectsOf } from '../../../suites/requirements/index.js';
import { isFailure, type JudgedCase, whyUnjudged } from '../../judge/counts.js';
import { byDeviation } from '../../judge/deviations.js';
import { exampleOf, exampleText } from '../../judge/failureMessage.js';
import type { RequirementVerdict, Verdict } from '../../judge/verdict.js';
import { type Filter, fragmentOf } from '../../page/filter.js';
import { countOf } from '../../page/words.js';
import { visible } from '../../safeText.js';
import { shortMessage } from './data.js';
import { chip } from './marks.js';
import { html, type Markup } from './markup.js';

const linkTo = (filter: Filter, cases: readonly JudgedCase[]): Markup =>
  html`<a href="${fragmentOf({ view: 'cases', filter })}">${countOf(cases.length, 'case')}</a>`;

/** Returns the deviations: the declaration and its reason, the behaviour of the server, and the cases. */
export function deviationList(cases: readonly JudgedCase[]): Markup[] {
  const groups = byDeviation(cases);
  if (groups.size === 0) return [];
  const items = [...groups].map(([deviation, members]) => {
    const { reason, link } = deviation;
    const [ids, subjects] = [requirementsOf(deviation), subjectsOf(deviation)];
    const [first] = members;
    const [id = ''] = ids;
    const filter = {
      verdict: 'known-deviation',
      ...(ids.length === 1 ? { requirement: id } : {}),
      reason: shortMessage(reason),
    };
    return html`<li><h3>${chip('known-deviation')} ${reason}</h3>
<p>${first?.requirement.row.text} <span class="dim">${first?.requirement.row.level} · <code>${ids.join(', ')}</code>${subjects.length === 0 ? undefined : html`, subjects that match “${subjects.join('” or “')}”`}</span></p>
${link !== undefined && /^https?:\/\//.test(link) ? html`<p><a href="${link}">${link}</a></p>` : undefined}
<p>${linkTo(filter, members)}, for example <code>${first?.subject}</code></p>
<p class="message">${first?.message}</p></li>`;
  });
  return [
    html`<p class="dim">Requirements that the target is known to break, written down with a reason in its file. They are not passes.</p>
<ul class="entries">${items}</ul>`,
  ];
}

export function staleList({ staleDeviations }: Verdict): Markup[] {
  return staleDeviations.map(
    ({ message, deviation }) => html`<p class="message">${message}<br><span class="dim">${deviation.reason}</span></p>`,
  );
}

export function casesByReason(cases: readonly JudgedCase[], verdict: 'not-supported' | 'skipped'): Markup[] {
  const groups = groupBy(
    cases.filter((judged) => judged.verdict === verdict),
    (judged) => shortMessage(whyUnjudged(judged)),
  );
  if (groups.size === 0) return [];
  const rows = [...groups].map(([reason, members]) => {
    const chapters = [...groupBy(members, ({ requirement }) => requirement.chapter).keys()];
    const levels = new Set(members.map(({ requirement }) => requirement.row.level));
    return html`<tr><td>${reason || 'no reason given'}</td><td class="number">${linkTo({ verdict, ...(reason && { reason }) }, members)}</td>
<td class="level">${[...levels].join(', ')}</td><td class="dim">${chapters.join(', ')}</td></tr>`;
  });
  return [
    html`<h3>By reason</h3>
<div class="scroll" role="region" aria-label="Reasons" tabindex="0"><table class="reasons"><thead><tr><th scope="col">Reason</th><th scope="col" class="number">Cases</th><th scope="col">Level</th><th scope="col">Chapters</th></tr></thead>
<tbody>${rows}</tbody></table></div>`,
  ];
}

/** Returns the capabilities that are absent according to the target's discovery or file. */
export function capabilityList(run: RunHeader | undefined): Markup[] {
  const rows = run?.notSupported ?? [];
  if (rows.length === 0) return [];
  const row = ({ capability, reason }: (typeof rows)[number]): Markup =>
    html`<tr><td><code>${capability}</code></td><td>${reason}</td></tr>`;
  return [
    html`<h3>Capabilities that the target lacks</h3>
<div class="scroll" role="region" aria-label="Capabilities" tabindex="0"><table class="reasons"><thead><tr><th scope="col">Capability</th><th scope="col">Why</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>`,
  ];
}

/** Returns the requirements that failed under an alias, each with its first message; empty without aliased cases. */
export function aliasedList({ aliased: { cases } }: Verdict): Markup[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases.filter(isFailure), ({ requirement }) => requirement.id);
  const items = [...groups].map(
    ([id, [first, ...more]]) =>
      html`<li><code>${id}</code> ${first?.message ?? ''}${more.length > 0 ? html` <span class="dim">and ${countOf(more.length, 'case')}</span>` : undefined}</li>`,
  );
  return [
    html`<p class="dim">The target serves these resources under another version, where they were tried. They are not scored.</p>`,
    ...(items.length === 0 ? [] : [html`<ul class="plain">${items}</ul>`]),
  ];
}

/** Returns the cases that passed by a retry, by what went wrong first: one exchange proves many cases. */
export function retryList(cases: readonly JudgedCase[]): Markup[] {
  const retried = cases.filter((one) => one.retried !== undefined);
  const groups = groupBy(retried, ({ subject, retried }) => exampleText(exampleOf(subject, retried)));
  if (groups.size === 0) return [];
  const items = [...groups].map(([what, members]) => {
    const links = members.map(
      ({ id }) => html`<a href="${fragmentOf({ view: 'cases', filter: { case: visible(id) } })}">${id}</a>`,
    );
    if (links.length === 1) return html`<li>${what}<br>${links}</li>`;
    return html`<li>${what}<details class="more"><summary>${countOf(members.length, 'case')}</summary><ul class="plain">${links.map((link) => html`<li>${link}</li>`)}</ul></details></li>`;
  });
  return [html`<ul class="entries">${items}</ul>`];
}

export function textList(texts: readonly string[]): Markup[] {
  return texts.length === 0 ? [] : [html`<ul class="ids">${texts.map((text) => html`<li>${text}</li>`)}</ul>`];
}

const unchecked = [
  ['untested', 'Not in this run: it has no case of these requirements'],
  ['unobservable', 'Not observable: no request can show whether they hold'],
] as const;

/** Returns the requirements without cases, with the reasons in their rows; those that a run did not test fold by chapter. */
export function requirementsWithout(requirements: readonly RequirementVerdict[]): Markup[] {
  return unchecked.flatMap(([state, title]) => {
    const rows = requirements.filter((verdict) => verdict.state === state);
    if (rows.length === 0) return [];
    const chapters = [...groupBy(rows, ({ requirement }) => requirement.chapter)];
    const content =
      state === 'unobservable'
        ? entries(rows)
        : html`${chapters.map(([chapter, members]) => html`<details class="chapter-fold"><summary>${chapter} <span class="count">${members.length}</span></summary>${entries(members)}</details>`)}`;
    return [html`<h3>${title} (${rows.length})</h3>${content}`];
  });
}

function entries(rows: readonly RequirementVerdict[]): Markup {
  const items = rows.map(({ state, requirement: { id, row } }) => {
    const reason = 'reason' in row ? row.reason : undefined;
    return html`<li>${chip(state)} ${row.text} <span class="dim">${row.level} · <code>${id}</code></span>${reason === undefined ? undefined : html`<br><span class="why">${reason}</span>`}</li>`;
  });
  return html`<ul class="entries">${items}</ul>`;
}
