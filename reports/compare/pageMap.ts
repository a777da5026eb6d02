// The map of a comparison: kinds and verbs with the shares of the last run, and a mark on changed cells.

import { type Share, shareOf, shareText } from '../judge/counts.js';
import { gridPlaceOf, kindMapOf } from '../judge/kindMap.js';
import { html, type Markup } from '../render/html/markup.js';
import type { Comparison, DifferenceKind } from './compareRuns.js';
import { runName } from './words.js';

const marks = { worse: '▼', better: '▲', other: '◆' } as const satisfies Record<DifferenceKind, string>;
const words = { worse: 'worse', better: 'better', other: 'different' } as const satisfies Record<
  DifferenceKind,
  string
>;

/** Returns the map; undefined if no case has a kind and a verb. */
export function comparisonMap({ runs, differences }: Comparison): Markup | undefined {
  const maps = runs.map(({ verdict }) => kindMapOf(verdict.cases));
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
  const cell = (kind: string, verb: string): Markup => {
    if (all.at(kind, verb).length === 0) return html`<td></td>`;
    const shares = maps.map((map) => shareOf(map.at(kind, verb)));
    const kinds = changed.get(`${kind} ${verb}`);
    const change = (['worse', 'better', 'other'] as const).find((one) => kinds?.has(one));
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
  return html`<div class="scroll" role="region" aria-label="Kinds and verbs" tabindex="0"><table class="map"><thead><tr><td></td>${heads}</tr></thead><tbody>${rows}</tbody></table></div>
<p class="dim">Each cell says how many of its cases pass in ${runName(runs.at(-1)?.name)}, and is filled by that share. <b class="worse">▼</b> worse, <b class="better">▲</b> better, <b>◆</b> different from ${first}.</p>`;
}

function cellMarkup(shares: readonly (Share | undefined)[], change: DifferenceKind | undefined, name: string): Markup {
  const last = shares.findLast((share) => share !== undefined);
  const part = last === undefined || last.judged === 0 ? 0 : Math.floor((100 * last.passed) / last.judged);
  const text =
    last === undefined
      ? ''
      : last.judged === 0
        ? '–'
        : last.passed === last.judged
          ? String(last.judged)
          : shareText(last);
  const mark =
    change === undefined
      ? undefined
      : html`<b class="${change}" aria-hidden="true">${marks[change]}</b><span class="unseen">, ${words[change]}</span>`;
  const title = `${name}: ${shares.map(shareText).join(', then ')}`;
  return html`<span class="square ${last?.state ?? 'none'} of${part}${change ? ` changed` : ''}" title="${title}">${text}${mark}</span>`;
}
