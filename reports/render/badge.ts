// The badge: the verdict in a few words, as SVG and as JSON for an endpoint badge of shields.io.

import { failureWords } from '../judge/counts.js';
import type { Evidence } from '../judge/evidence.js';
import { selectionWords } from '../judge/outcome.js';
import type { Verdict } from '../judge/verdict.js';
import { countOf } from '../page/words.js';
import { escapeXml } from '../safeText.js';

const label = 'kube-api-conformance';

/** White text on each of these colours has a contrast of at least 4.5 to 1. */
const colours = {
  conformant: '#1a7f37',
  deviations: '#4d7a12',
  partial: '#0b66c3',
  'not-conformant': '#c21f2b',
  'could-not-run': '#5f6a74',
} as const;

/** Returns the badge as SVG, which loads no font, script or picture. */
export function renderBadge(verdict: Verdict, evidence: Evidence): string {
  const { message, colour } = factsOf(verdict, evidence);
  const left = widthOf(label) + 12;
  const right = widthOf(message) + 12;
  const width = left + right;
  const title = escapeXml(`${label}: ${message}`);
  const word = (text: string, x: number, room: number): string =>
    `<text x="${x}" y="14" textLength="${room - 12}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="${left}" height="20" fill="#444c56"/>
<rect x="${left}" width="${right}" height="20" fill="${colour}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">
${word(label, left / 2, left)}
${word(message, left + right / 2, right)}
</g>
</svg>
`;
}

/** Returns the JSON for an endpoint badge of shields.io. */
export function renderBadgeEndpoint(verdict: Verdict, evidence: Evidence): string {
  const { message, colour } = factsOf(verdict, evidence);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: colour.slice(1), isError: verdict.exitCode === 2 })}\n`;
}

/** Returns the message and the colour of the badge. The message has no text from a server. */
function factsOf(
  { outcome, cases, failing, nothingNew, early }: Verdict,
  { run }: Evidence,
): { readonly message: string; readonly colour: string } {
  const required = cases.filter(({ requirement }) => requirement.row.level === 'required');
  const deviating = new Set(required.flatMap(({ deviation, requirement }) => (deviation ? [requirement.id] : []))).size;
  const declared = deviating > 0 ? `, ${countOf(deviating, 'known deviation')}` : '';
  // A badge must not claim cases that the run was told to omit.
  const part = selectionWords(run).length > 0 ? ', of a selection' : '';
  const failures = failureWords(failing);
  if (nothingNew !== undefined)
    return { message: `nothing new, ${nothingNew.toLocaleString('en-US')} known${part}`, colour: colours.deviations };
  switch (outcome) {
    case 'conformant':
      return {
        message: `conformant${declared}${part}`,
        colour: deviating > 0 ? colours.deviations : colours.conformant,
      };
    case 'partial':
      return { message: `partial${declared}${part}`, colour: colours.partial };
    case 'not-conformant':
      return {
        message: `not conformant${failures === undefined ? '' : `, ${failures}`}`,
        colour: colours[outcome],
      };
    case 'could-not-run':
      return { message: early ?? 'could not run', colour: colours[outcome] };
  }
}

/** Returns the approximate width of a text in Verdana at 11 pixels; `textLength` enforces it for any font. */
function widthOf(text: string): number {
  const narrow = [...text].filter((letter) => /[ ,.:fijlrt1-]/.test(letter)).length;
  const wide = [...text].filter((letter) => /[mw]/.test(letter)).length;
  return Math.round(text.length * 7 - narrow * 2.6 + wide * 3.4);
}
