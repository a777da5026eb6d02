// What is neither passed nor failed, each with its reason: nothing is silently green.
import type { Deviation, RunHeader } from '../../../matrix/requirements/index.js';
import { groupBy, type JudgedCase, plural, type State } from '../../counts.js';
import type { RequirementVerdict, Verdict } from '../../verdict.js';
import { exchangeList } from './failures.js';
import { foldedIds } from './marks.js';
import { html, type Markup } from './markup.js';

/** The deviations, each with its reason and the exchange of its first case. */
export function deviationList(cases: readonly JudgedCase[], url: string): Markup[] {
  const groups = new Map<Deviation, JudgedCase[]>();
  for (const judged of cases) {
    if (judged.deviation) groups.set(judged.deviation, [...(groups.get(judged.deviation) ?? []), judged]);
  }
  return [...groups].map(([{ requirement, subject, reason, link }, members]) => {
    const [first] = members;
    const example = first
      ? html`<details><summary>For example ${first.subject}</summary>
<p class="message">${first.message}</p>
${exchangeList(first.exchanges.slice(0, 1), url)}</details>`
      : undefined;
    return html`<h3>${reason}</h3>
<p class="dim"><a href="#r-${requirement}"><code>${requirement}</code></a>${subject === undefined ? undefined : html`, subjects that contain “${subject}”`}</p>
${link !== undefined && /^https?:\/\//.test(link) ? html`<p><a href="${link}">${link}</a></p>` : undefined}
<p>${first?.requirement.row.text}</p>
${example}
${foldedIds(
  plural(members.length, 'case'),
  members.map(({ id }) => id),
)}`;
  });
}

/** The declarations to delete. */
export function staleList({ staleDeviations }: Verdict): Markup[] {
  return staleDeviations.map(
    ({ message, deviation }) => html`<p class="message">${message}<br><span class="dim">${deviation.reason}</span></p>`,
  );
}

/** The cases of one verdict by reason, folded. */
export function casesByReason(cases: readonly JudgedCase[], verdict: 'not-offered' | 'not-run'): Markup[] {
  const groups = groupBy(
    cases.filter((judged) => judged.verdict === verdict),
    ({ message }) => message ?? 'no reason given',
  );
  return [...groups].map(([reason, members]) =>
    foldedIds(
      `${reason} (${plural(members.length, 'case')})`,
      members.map(({ id }) => id),
    ),
  );
}

/** What the target's discovery or file says is absent. */
export function capabilityList(run: RunHeader | undefined): Markup[] {
  const rows = run?.notOffered ?? [];
  if (rows.length === 0) return [];
  return [
    html`<ul class="plain">${rows.map(({ capability, reason }) => html`<li><code>${capability}</code> <span class="dim">${reason}</span></li>`)}</ul>`,
  ];
}

/** Plain lines as a list. */
export function lines(texts: readonly string[]): Markup[] {
  return texts.length === 0 ? [] : [html`<ul class="ids">${texts.map((text) => html`<li>${text}</li>`)}</ul>`];
}

/** The requirements of a state that has no cases, with the reason that their rows give. */
export function requirementsWithout(
  requirements: readonly RequirementVerdict[],
  state: Extract<State, 'planned' | 'unobservable' | 'untested'>,
): Markup[] {
  const rows = requirements.filter((verdict) => verdict.state === state);
  if (rows.length === 0) return [];
  const items = rows.map(({ requirement: { id, row } }) => {
    const reason = 'reason' in row ? row.reason : 'planned' in row ? row.planned : '';
    return html`<li><code>${id}</code> ${row.text} <span class="dim">${reason}</span></li>`;
  });
  return [
    html`<details><summary>${plural(rows.length, 'requirement')}</summary><ul class="plain">
${items}
</ul></details>`,
  ];
}
