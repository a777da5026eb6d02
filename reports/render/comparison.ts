// The comparison as one HTML page.
import type { Evidence } from '../evidence.js';
import type { Verdict } from '../verdict.js';
import { html } from './html/markup.js';

/** The page of a comparison. */
export function renderComparison(
  runs: readonly { readonly name: string; readonly verdict: Verdict; readonly evidence: Evidence }[],
): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Comparison</title></head>
<body><ul>${runs.map(({ name, verdict }) => html`<li>${name}: ${verdict.line}</li>`)}</ul></body></html>
`.toString();
}
