// Small parts that the views share: signs, chips, bars of counts, buttons that copy.
import { el } from './dom.js';
import { type CaseView, isFailedCase } from './model.js';
import type { CellParts } from './share.js';
import { type CaseVerdictName, caseVerdicts, type StateName, stateCount, stateWord, symbolOf } from './words.js';

export type Tally = ReadonlyMap<CaseVerdictName, number>;

/** Counts the cases by verdict, the most urgent first. */
export function tally(cases: Iterable<CaseView>): Tally {
  const counts = new Map<CaseVerdictName, number>(caseVerdicts.map(({ name }) => [name, 0]));
  for (const { verdict } of cases) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return new Map([...counts].filter(([, number]) => number > 0));
}

export function worstState(counts: Tally): StateName {
  const [first] = counts.keys();
  return first ?? 'untested';
}

/** Returns the counts in words: `2 failed, 30 passed`. */
export function tallyInWords(counts: Tally): string {
  return [...counts].map(([verdict, number]) => stateCount(number, verdict)).join(', ');
}

/** Returns a state as its sign and word, in its colour. */
export function stateChip(state: StateName): HTMLElement {
  return el(
    'span',
    { class: `chip ${state}` },
    el('span', { 'aria-hidden': 'true' }, symbolOf(state)),
    ` ${stateWord(state)}`,
  );
}

/** Returns counts as a bar; the width of each part is its share. */
export function tallyBar(counts: Tally): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [name, value] of [
    ['class', 'bar'],
    ['viewBox', '0 0 100 1'],
    ['preserveAspectRatio', 'none'],
    ['role', 'img'],
    ['aria-label', tallyInWords(counts)],
  ] as const)
    svg.setAttribute(name, value);
  const all = [...counts.values()].reduce((sum, number) => sum + number, 0);
  let at = 0;
  for (const [verdict, number] of counts) {
    const width = Math.max((100 * number) / all, 0.6);
    const part = document.createElementNS(space, 'rect');
    part.setAttribute('class', verdict);
    part.setAttribute('x', at.toFixed(2));
    part.setAttribute('width', width.toFixed(2));
    part.setAttribute('height', '1');
    svg.append(part);
    at += width;
  }
  svg.setAttribute('viewBox', `0 0 ${at.toFixed(2)} 1`);
  return svg;
}

/** Reports whether a state covers only a part of the cases: others were not supported or skipped. */
export function isPartlyJudged(counts: Tally): boolean {
  const without = ['skipped', 'not-supported'] as const;
  return without.some((verdict) => counts.has(verdict)) && !without.some((verdict) => verdict === worstState(counts));
}

export interface CellShare extends CellParts {
  /** `27/29`; only `29` if all passed, and the number of cases if none was judged. */
  readonly text: string;
}

export function cellShare(cases: readonly CaseView[]): CellShare {
  const counts = tally(cases);
  const passed = counts.get('passed') ?? 0;
  const deviating = counts.get('known-deviation') ?? 0;
  const failing = cases.filter(isFailedCase).length;
  const judged = passed + deviating + failing;
  const [number = cases.length] = judged === 0 ? [] : [passed];
  const text = judged === passed ? number.toLocaleString('en-US') : `${passed}/${judged}`;
  return { passed, deviating, failing, text };
}

/**
 * Returns the look of a cell: its worst verdict, softer if only recommended cases fail, hatched if in part unjudged.
 */
export function cellLook(cases: readonly CaseView[]): { state: StateName; look: string } {
  const counts = tally(cases);
  const state = worstState(counts);
  const failures = cases.filter(isFailedCase);
  const soft = failures.length > 0 && failures.every(({ requirement }) => requirement.level === 'recommended');
  return { state, look: `${state}${soft ? ' recommended' : ''}${isPartlyJudged(counts) ? ' partial' : ''}` };
}
