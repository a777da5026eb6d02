// A picture of a run: kinds and verbs with the share of passed cases, as SVG without fonts, scripts or other files.
import { shareOf, shareText } from '../judge/counts.js';
import type { Evidence } from '../judge/evidence.js';
import { kindMapOf } from '../judge/kindMap.js';
import { limitedTexts } from '../judge/outcome.js';
import type { Verdict } from '../judge/verdict.js';
import { cellStops } from '../page/share.js';
import { escapeXml, firstLine } from '../safeText.js';

const cell = { width: 54, height: 18 } as const;
const left = 172;
const margin = 12;

// The picture has its own background, so that it is readable on light and dark pages.
const style = `text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#16191d}
.b{fill:#fff}.d,.h{fill:#56606b}.h{font-weight:600}.t{font-size:14px;font-weight:600}.n{text-anchor:middle;font-size:10px}
.e{fill:#f0f2f5}.p{fill:#9fd4cc}.f{fill:#f2ad94}.k{fill:#cdb9f0}
@media(prefers-color-scheme:dark){text{fill:#e6e9ed}.b{fill:#14171b}.d,.h{fill:#9da7b2}.e{fill:#242a31}.p{fill:#1d5f57}.f{fill:#8a3b1c}.k{fill:#4f3a80}}`;

export function renderMap(verdict: Verdict, { run }: Evidence): string {
  const map = kindMapOf(verdict.cases);
  const head = `${firstLine(run?.target.name ?? 'no target', 60)}: ${firstLine(limitedTexts(verdict)[0] ?? '', 90)}`;
  const longest = Math.max(0, ...map.verbs.map((verb) => verb.length));
  const top = 34 + Math.ceil(longest * 4.6);
  const parts: string[] = [];
  let y = top;
  let group = '';
  let isBeside = false;
  for (const kind of map.kinds) {
    const [of = '', name = kind] = kind.split('/');
    if (map.others.has(kind) && !isBeside) {
      isBeside = true;
      group = '';
      parts.push(text('t', margin, y + 24, 'Kinds that the interface lacks'));
      y += 30;
    }
    if (of !== group) {
      y += 6;
      parts.push(text('h', margin, y + 13, of));
      y += cell.height;
      group = of;
    }
    parts.push(text('', margin + 8, y + 13, firstLine(name, 28)));
    for (const [column, verb] of map.verbs.entries()) {
      const share = shareOf(map.at(kind, verb));
      if (share === undefined) continue;
      const x = left + column * cell.width;
      const room = cell.width - 2;
      const { counts, judged, passed } = share;
      const said = judged === 0 ? '–' : passed === judged ? String(judged) : shareText(share);
      const { good, odd } =
        judged === 0
          ? { good: 0, odd: 0 }
          : cellStops({ passed, deviating: counts['known-deviation'], failing: counts.failed + counts.blocked });
      const end = judged === 0 ? 0 : 100;
      const filled = [
        ['p', 0, good],
        ['k', good, odd],
        ['f', odd, end],
      ] as const;
      parts.push(
        `<rect class="e" x="${x}" y="${y}" width="${room}" height="${cell.height - 2}"/>`,
        ...filled.flatMap(([colour, from, to]) =>
          to - from < 0.05
            ? []
            : [
                `<rect class="${colour}" x="${(x + (room * from) / 100).toFixed(1)}" y="${y}" width="${((room * (to - from)) / 100).toFixed(1)}" height="${cell.height - 2}"/>`,
              ],
        ),
        text('n', x + room / 2, y + 12, said),
      );
    }
    y += cell.height;
  }
  const heads = map.verbs.map((verb, column) => {
    const x = left + column * cell.width + 20;
    return `<text class="d" transform="translate(${x} ${top}) rotate(-40)">${escapeXml(verb)}</text>`;
  });
  const width = Math.max(left + map.verbs.length * cell.width + 60, 480);
  const height = y + 30;
  const description = `The share of cases that pass, for ${map.kinds.length} kinds and ${map.verbs.length} verbs. A number alone is the cases that all pass.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">
<title id="t">${escapeXml(head)}</title>
<desc id="d">${escapeXml(description)}</desc>
<style>${style}</style>
<rect class="b" width="${width}" height="${height}" rx="6"/>
${[text('t', margin, 22, head), ...heads, ...parts, text('d', margin, height - 10, 'Cells are filled by the share of their cases that pass (teal), then known deviations (violet), then failures (orange).')].join('\n')}
</svg>
`;
}

function text(name: string, x: number, y: number, said: string): string {
  return `<text${name === '' ? '' : ` class="${name}"`} x="${x}" y="${y}">${escapeXml(said)}</text>`;
}
