// The map of a comparison: kinds and verbs with the shares of the last run, and a mark on changed cells.

import { type JudgedCase, type Share, shareOf, shareText } from '../judge/counts.js';
import { gridPlaceOf, kindMapOf } from '../judge/kindMap.js';
import { cellStops } from '../page/share.js';
import { symbolOf } from '../page/words.js';
import { html, type Markup } from '../render/html/markup.js';
import type { ComparedRun, Comparison, DifferenceKind } from './compareRuns.js';
import { runName } from './words.js';

const marks = { worse: '▼', better: '▲', other: '◆' } as const satisfies Record<DifferenceKind, string>;
const words = { worse: 'worse', better: 'better', other: 'different' } as const satisfies Record<
  DifferenceKind,
  string
>;
const kinds = ['worse', 'better', 'other'] as const satisfies readonly DifferenceKind[];

const looks = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'blocked',
  'known-deviation': 'known deviation',
  skipped: 'skipped',
  'not-supported': 'not supported',
} as const satisfies Partial<Record<Share['state'], string>>;

/** Returns the cases of each run that every run has: a number that one run has alone compares nothing. */
function sharedCases(runs: readonly ComparedRun[]): JudgedCase[][] {
  const ids = runs.map(({ verdict }) => new Set(verdict.cases.map(({ id }) => id)));
  return runs.map(({ verdict }) => verdict.cases.filter(({ id }) => ids.every((ofRun) => ofRun.has(id))));
}

/** Returns the map; undefined if no case has a kind and a verb. */
export function comparisonMap({ runs, differences }: Comparison): Markup | undefined {
  const maps = sharedCases(runs).map(kindMapOf);
  const all = kindMapOf(runs.flatMap(({ verdict }) => verdict.cases));
  if (all.kinds.length === 0) return undefined;
  const changed = new Map<string, Set<DifferenceKind>>();
  for (const { results, kind } of differences) {
    const found = results.flatMap((result) => (result ? [gridPlaceOf(result)] : [])).find((one) => one !== undefined);
    if (found === undefined) continue;
    const key = found.join(' ');
    changed.set(key, (changed.get(key) ?? new Set()).add(kind));
  }
  const first = runName(runs[0]?.name);
  const states = new Set<Share['state'] | undefined>();
  const cell = (kind: string, verb: string): Markup => {
    if (all.at(kind, verb).length === 0) return html`<td></td>`;
    const shares = maps.map((map) => shareOf(map.at(kind, verb)));
    states.add(shares.at(-1)?.state);
    const found = changed.get(`${kind} ${verb}`);
    const change = kinds.find((one) => found?.has(one));
    return html`<td>${cellMarkup(shares, change, `${kind} ${verb}, ${first} first`)}</td>`;
  };
  let group = '';
  let isOther = false;
  const rows = all.kinds.map((kind) => {
    const [of = '', plain = kind] = kind.split('/');
    const isBeside = all.others.has(kind) && !isOther;
    isOther ||= isBeside;
    const beside = isBeside
      ? html`<tr class="group"><th scope="rowgroup" colspan="${all.verbs.length + 1}"><span>Kinds that the interface lacks</span></th></tr>`
      : undefined;
    const head =
      of === group && !isBeside
        ? undefined
        : html`${beside}<tr class="group"><th scope="rowgroup" colspan="${all.verbs.length + 1}"><span>${of}</span></th></tr>`;
    group = of;
    return html`${head}<tr><th scope="row">${plain}</th>${all.verbs.map((verb) => cell(kind, verb))}</tr>`;
  });
  const heads = all.verbs.map((verb) => html`<th scope="col"><span>${verb}</span></th>`);
  const happened = new Set([...changed.values()].flatMap((of) => [...of]));
  const legend = [
    ...Object.entries(looks).flatMap(([state, word]) =>
      states.has(state as Share['state'])
        ? [
            html`<li><span class="cell ${state}" aria-hidden="true">${symbolOf(state as keyof typeof looks)}</span>${word}</li>`,
          ]
        : [],
    ),
    ...(states.has(undefined)
      ? [html`<li><span class="cell none" aria-hidden="true"></span>no case that every run has</li>`]
      : []),
    ...kinds.flatMap((kind) =>
      happened.has(kind)
        ? [
            html`<li><b class="${kind}" aria-hidden="true">${marks[kind]}</b>${kind === 'other' ? 'different from' : `${words[kind]} than`} ${first}</li>`,
          ]
        : [],
    ),
  ];
  return html`<p class="dim">The cases that every run has: how many pass in ${runName(runs.at(-1)?.name)}. A cell is filled by the part that passes, then by known deviations, then by failures.</p>
<div class="scroll" role="region" aria-label="Kinds and verbs" tabindex="0"><table class="map"><thead><tr><td></td>${heads}</tr></thead><tbody>${rows}</tbody></table></div>
<ul class="legend">${legend}</ul>`;
}

function cellMarkup(shares: readonly (Share | undefined)[], change: DifferenceKind | undefined, name: string): Markup {
  const last = shares.at(-1);
  if (last === undefined)
    return html`<span class="cell square none" title="${name}: no case that every run has"><span class="unseen">no case that every run has</span></span>`;
  const { counts, passed, judged, state } = last;
  const { good, odd } = cellStops({
    passed,
    deviating: counts['known-deviation'],
    failing: counts.failed + counts.blocked,
  });
  const stops = judged === 0 ? '' : ` good${Math.round(good)} odd${Math.round(odd)}`;
  const text = judged === 0 ? symbolOf(state) : passed === judged ? String(judged) : shareText(last);
  const mark =
    change === undefined
      ? undefined
      : html` <b class="${change}" aria-hidden="true">${marks[change]}</b><span class="unseen">, ${words[change]}</span>`;
  const title = `${name}: ${shares.map(shareText).join(', then ')}`;
  return html`<span class="cell square ${state}${stops}" title="${title}">${text}${mark}</span>`;
}
