// The trend: the last runs on the target as a row of bars, each as high as the share of what is required that holds.
import type { PastRun } from '../../judge/history.js';
import { countOf } from '../../page/words.js';
import { html, type Markup } from './markup.js';

const looks = {
  conformant: 'passed',
  partial: 'known-deviation',
  'not-conformant': 'failed',
  'could-not-run': 'blocked',
} as const satisfies Record<PastRun['outcome'], string>;

const height = 14;
const step = 5;

/** Returns the bars; undefined if there was no run before. */
export function trend(runs: readonly PastRun[]): Markup | undefined {
  if (runs.length < 2) return undefined;
  const bars = runs.map(({ startedAt, outcome, held, judged }, index) => {
    const share = judged === 0 ? 0 : held / judged;
    const high = Math.max(3, height * share);
    const title = `${startedAt.slice(0, 10)}: ${outcome.replaceAll('-', ' ')}, ${held} of ${judged}`;
    return html`<rect class="${looks[outcome] ?? 'untested'}" x="${index * step}" y="${(height - high).toFixed(1)}" width="${step - 1}" height="${high.toFixed(1)}"><title>${title}</title></rect>`;
  });
  const width = runs.length * step;
  const good = runs.filter(({ exitCode }) => exitCode === 0).length;
  const label = `${countOf(runs.length, 'run')}, ${good.toLocaleString('en-US')} good`;
  return html` <svg class="trend" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The last ${label}">${bars}</svg>`;
}
