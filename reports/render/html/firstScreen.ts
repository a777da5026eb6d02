// The first screen: target, verdict in one sentence, when, how long, and the counts by verdict and level.
import { choiceOf, type Level } from '../../../matrix/requirements/index.js';
import { choiceWords } from '../../choiceText.js';
import { plural, type State, total, verdicts, wordOf } from '../../counts.js';
import type { Evidence } from '../../evidence.js';
import type { Outcome } from '../../outcome.js';
import type { Verdict } from '../../verdict.js';
import { html, type Markup } from './markup.js';

const marks: Readonly<Record<Outcome['outcome'], State>> = {
  conformant: 'passed',
  partial: 'deviation',
  'not-conformant': 'failed',
  'could-not-run': 'not-testable',
};

const levels = ['stated', 'convention'] as const satisfies readonly Level[];

/** What a reader sees first. */
export function firstScreen(verdict: Verdict, { run, end }: Evidence): Markup {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Target', run?.target.url],
    ['Server', run?.target.serverVersion],
    ['Nodes', run?.nodes],
    ['When', run && when(run.startedAt)],
    ['How long', run && end && duration(run.startedAt, end.endedAt)],
    ['Selected', run && choiceWords(choiceOf(run)).join(', ')],
    ['Suite', run && `kube-api-conformance ${run.version}, run ${run.runId}`],
  ];
  return html`<header>
<h1>${run?.target.name ?? 'No target'}</h1>
<p class="verdict ${marks[verdict.outcome]}">${verdict.line}</p>
${verdict.reasons.length > 0 ? html`<ul class="plain">${verdict.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>` : undefined}
<div class="sides">
<dl class="facts">
${facts.flatMap(([name, value]) => (value ? [html`<dt>${name}</dt><dd>${value}</dd>`] : []))}
</dl>
${countsTable(verdict.counts)}
</div>
<p class="dim">Stated requirements decide the verdict. Conventions do not: ${verdict.conventions.line.replace(/^conventions: /, '')} hold.</p>
</header>`;
}

function countsTable(counts: Verdict['counts']): Markup {
  const cell = (number: number, look: string): Markup =>
    html`<td class="number ${number === 0 ? 'zero' : look}">${number.toLocaleString('en-US')}</td>`;
  const rows = verdicts.map(
    (of) =>
      html`<tr><th scope="row">${wordOf(of)}</th>${levels.map((level) => cell(counts[level][of], `marked ${of}`))}</tr>`,
  );
  return html`<table class="counts">
<thead><tr><th>Cases</th>${levels.map((level) => html`<th class="number" scope="col">${level}</th>`)}</tr></thead>
<tbody>
${rows}
<tr><th scope="row">all</th>${levels.map((level) => cell(total(counts[level]), ''))}</tr>
</tbody>
</table>`;
}

function when(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function duration(from: string, to: string): string | undefined {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (!Number.isFinite(seconds)) return undefined;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${plural(Math.floor(seconds / 60), 'minute')} ${Math.round(seconds % 60)} s`;
}
