// The first screen: target, verdict in one sentence, when, how long, whose nodes, and the counts by verdict and level.
import { choiceOf, type Level, type Nodes } from '../../../matrix/requirements/index.js';
import { choiceWords } from '../../choiceText.js';
import { plural, type State, total, verdicts } from '../../counts.js';
import type { Evidence } from '../../evidence.js';
import type { Outcome } from '../../outcome.js';
import { fragmentOf } from '../../page/filter.js';
import { levelWord, numbered, symbolOf } from '../../page/words.js';
import type { Verdict } from '../../verdict.js';
import { countsBar } from './marks.js';
import { html, type Markup } from './markup.js';

const marks: Readonly<Record<Outcome['outcome'], State>> = {
  conformant: 'passed',
  partial: 'known-deviation',
  'not-conformant': 'failed',
  'could-not-run': 'blocked',
};

const levels = ['stated', 'convention'] as const satisfies readonly Level[];

const whoseNodes: Readonly<Record<Nodes, string>> = {
  ours: 'ours: the suite played a node',
  theirs: 'theirs: nodes of the target ran the pods',
  none: 'none: what needs one is not supported',
};

/** What a reader sees first. */
export function firstScreen(verdict: Verdict, { run, end }: Evidence): Markup {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Address', run?.target.url],
    ['Certificate', run?.target.insecure && 'not verified'],
    ['Server', run?.target.serverVersion],
    ['Node', run?.nodes && (whoseNodes[run.nodes] ?? run.nodes)],
    ['Anonymous', run?.anonymous],
    ['When', run && when(run.startedAt)],
    ['How long', run && end && duration(run.startedAt, end.endedAt)],
    ['Selected', run && choiceWords(choiceOf(run)).join(', ')],
    ['Suite', run && `kube-api-conformance ${run.version}, run ${run.runId}`],
  ];
  const mark = marks[verdict.outcome];
  return html`<header class="top">
<p class="target">${run?.target.name ?? 'No target'}</p>
<h1 class="verdict ${mark}${verdict.line.length > 60 ? ' long' : ''}"><span class="sign" aria-hidden="true">${symbolOf(mark)}</span><span>${sentence(verdict.line)}</span></h1>
${verdict.reasons.length > 0 ? html`<ul class="why">${verdict.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>` : undefined}
<div class="sides">
<div class="tallies">
${levels.map((level) => levelCounts(level, verdict))}
</div>
<dl class="facts">
${facts.flatMap(([name, value]) => (value ? [html`<div><dt>${name}</dt><dd>${value}</dd></div>`] : []))}
</dl>
</div>
</header>`;
}

const meaning: Readonly<Record<Level, string>> = {
  stated: 'Required cases decide the verdict.',
  convention: 'Recommended cases decide nothing.',
};

function levelCounts(level: Level, { counts: all, recommended }: Verdict): Markup {
  const counts = all[level];
  const word = levelWord(level);
  const held = level === 'convention' ? ` ${recommended.line.replace(/^recommended: /, '')} hold.` : '';
  const rows = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map(
      (verdict) =>
        html`<li class="${verdict}"><a href="${fragmentOf({ view: 'cases', filter: { verdict, level: word } })}"><span class="sign" aria-hidden="true">${symbolOf(verdict)}</span> ${numberFirst(numbered(counts[verdict], verdict))}</a></li>`,
    );
  return html`<section class="tally" aria-label="${word}"><h2>${sentence(word)} <span class="dim">${plural(total(counts), 'case')}</span></h2>
${countsBar(word, counts)}
<ul>${rows}</ul>
<p class="dim">${meaning[level]}${held}</p></section>`;
}

function numberFirst(text: string): Markup {
  const [number = '', ...words] = text.split(' ');
  return html`<b>${number}</b> ${words.join(' ')}`;
}

function sentence(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1);
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
