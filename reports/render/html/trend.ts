// The trend: the last runs of the same cases on the target as a row of bars. Each is filled from below by the share of what
// is required that holds; the rest of it shows what does not.
import type { PastRun } from '../../judge/history.js';
import { countOf } from '../../page/words.js';
import { html, type Markup } from './markup.js';

const height = 18;
const width = 8;
const step = width + 2;

/** Returns the bars; undefined if there was no such run before. `all`: the last runs on the target, the present one last. */
export function trend(all: readonly PastRun[]): Markup | undefined {
  // A run of other cases has other requirements: their shares do not compare.
  const present = all.at(-1);
  const runs = all.filter(({ part, selected }) => part === present?.part && selected === present?.selected);
  if (runs.length < 2) return undefined;
  const bars = runs.map((run, index) => {
    const { startedAt, outcome, held, judged, early } = run;
    const title = `${startedAt.slice(0, 10)}: ${early ?? outcome.replaceAll('-', ' ')}, ${held} of ${judged} required hold`;
    const part = judged === 0 ? 0 : held / judged;
    // One of a hundred is to be seen, too.
    const good = outcome === 'could-not-run' ? 0 : part === 1 ? height : Math.min(height * part, height - 3);
    const rest = outcome === 'could-not-run' ? 'untested' : outcome === 'not-conformant' ? 'failed' : 'known-deviation';
    return html`<g><title>${title}</title>${bar(rest, index, 0, height)}${good > 0 ? bar('passed', index, height - good, good) : undefined}</g>`;
  });
  const good = runs.filter(({ exitCode }) => exitCode === 0).length;
  const words = `${good.toLocaleString('en-US')} of ${countOf(runs.length, 'run')} good`;
  const size = runs.length * step;
  return html` <span class="history"><svg class="trend" width="${size}" height="${height}" viewBox="0 0 ${size} ${height}" role="img" aria-label="The last runs of these cases, the present one last">${bars}</svg> ${words}</span>`;
}

function bar(look: string, index: number, y: number, high: number): Markup {
  return html`<rect class="${look}" x="${index * step}" y="${y.toFixed(1)}" width="${width}" height="${high.toFixed(1)}"></rect>`;
}
