// The head of the page: the verdict in two words, the number of requirements that hold, and one line about the run.
import type { Level, Nodes } from '../../../suites/requirements/index.js';
import { rulesOf, type State, verdicts } from '../../judge/counts.js';
import type { Evidence } from '../../judge/evidence.js';
import type { PastRun } from '../../judge/history.js';
import { headingOf, type Outcome, partsBelowHeading } from '../../judge/outcome.js';
import type { Verdict } from '../../judge/verdict.js';
import { fragmentOf } from '../../page/filter.js';
import { stateCount, symbolOf } from '../../page/words.js';
import { countsBar } from './marks.js';
import { html, type Markup } from './markup.js';
import { trend } from './trend.js';

const marks: Readonly<Record<Outcome['outcome'], State>> = {
  conformant: 'passed',
  partial: 'known-deviation',
  'not-conformant': 'failed',
  'could-not-run': 'blocked',
};

const levels = ['required', 'recommended'] as const satisfies readonly Level[];

const whoseNodes: Readonly<Record<Nodes, string>> = {
  ours: 'ours: simulated by the suite',
  theirs: 'theirs: nodes of the target ran the pods',
  none: 'none: what needs one is not supported',
};

/** Returns whose nodes ran the pods of a run. */
export const nodesText = (nodes: Nodes): string => whoseNodes[nodes] ?? nodes;

/** `runs`: the last runs on the target, this one included. */
export function firstScreen(verdict: Verdict, evidence: Evidence, runs: readonly PastRun[]): Markup {
  const { run } = evidence;
  const mark = verdict.nothingNew === undefined ? marks[verdict.outcome] : marks.conformant;
  const shownHere = partsBelowHeading(verdict).filter(({ repeats }) => repeats === undefined);
  const said = [...verdict.reasons, ...shownHere.map(({ text }) => text)];
  const heading = headingOf(verdict);
  return html`<header class="top">
<div class="line"><b class="target">${run?.target.name ?? 'No target'}</b>${factsInLine(evidence).map((fact) => html` <span class="fact">${fact}</span>`)}${scope(verdict)}${trend(runs)}${allFacts(evidence)}</div>
<div class="head">
<div class="said"><h1 class="verdict ${mark}${heading.length > 24 ? ' long' : ''}"><span class="sign" aria-hidden="true">${symbolOf(mark)}</span><span>${heading}</span></h1>
${said.length === 0 ? undefined : html`<ul class="why">${said.map((one) => html`<li>${one}</li>`)}</ul>`}</div>
${levels.map((level) => levelCounts(level, verdict))}
</div>
</header>`;
}

function factsInLine({ run, end }: Evidence): string[] {
  if (!run) return [];
  const took = end && duration(run.startedAt, end.endedAt);
  return [run.target.serverVersion, timeText(run.startedAt), took].flatMap((fact) => fact ?? []);
}

/** Returns the number of selected cases, if not all were selected. */
function scope({ cases, selection }: Verdict): Markup | undefined {
  if (selection === undefined) return undefined;
  const words = selection.words.join(', ');
  const number = cases.length.toLocaleString('en-US');
  return html` <span class="scope" title="${words}">${number} of ${selection.of.toLocaleString('en-US')} cases: ${words}</span>`;
}

function levelCounts(level: Level, { counts: all, requirements }: Verdict): Markup {
  const counts = all[level];
  const name = level.charAt(0).toUpperCase() + level.slice(1);
  const ofLevel = requirements.filter(({ requirement }) => requirement.row.level === level);
  const { judged, held } = rulesOf(level, requirements);
  const rows = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map(
      (verdict) =>
        html`<li class="${verdict}"><a href="${fragmentOf({ view: 'cases', filter: { verdict, level } })}"><span class="sign" aria-hidden="true">${symbolOf(verdict)}</span> ${stateCount(counts[verdict], verdict)}</a></li>`,
    );
  if (ofLevel.every(({ cases }) => cases.length === 0))
    return html`<section class="tally" aria-label="${name}"><h2>${name}</h2><p class="dim">none selected</p></section>`;
  return html`<section class="tally" aria-label="${name}"><h2>${name} <b>${held.toLocaleString('en-US')}/${judged.toLocaleString('en-US')}</b></h2>
${countsBar(name, counts)}
<ul>${rows}</ul></section>`;
}

function allFacts({ run }: Evidence): Markup {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Address', run?.target.url],
    ['Certificate', run?.target.insecure && 'not verified'],
    ['Node', run?.nodes && nodesText(run.nodes)],
    ['Anonymous', run?.anonymous],
    ['Suite', run && `kube-api-conformance ${run.version}, run ${run.runId}`],
  ];
  return html`<details class="facts"><summary>more</summary><dl>
${facts.flatMap(([name, value]) => (value ? [html`<div><dt>${name}</dt><dd>${value}</dd></div>`] : []))}
</dl></details>`;
}

/** Returns a time as `2026-11-21 10:00 UTC`. */
export function timeText(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function duration(from: string, to: string): string | undefined {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (!Number.isFinite(seconds)) return undefined;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
