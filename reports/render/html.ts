// The report as one HTML page: no script, nothing loaded, and nothing that a server said is markup in it.
import type { Evidence } from '../evidence.js';
import type { Verdict } from '../verdict.js';
import { failuresOf } from './failures.js';
import { aliasedList } from './html/aliased.js';
import { anchorsOf, failureLists } from './html/failures.js';
import { firstScreen } from './html/firstScreen.js';
import { grid } from './html/grid.js';
import { capabilityList, casesByReason, deviationList, lines, requirementsWithout, staleList } from './html/lists.js';
import { section } from './html/marks.js';
import { html, type Markup, trusted } from './html/markup.js';
import { requirementTables } from './html/requirements.js';
import { style } from './html/style.js';

/** The whole page. Passed cases are counted, not listed: it opens fast with tens of thousands of them. */
export function renderHtml(verdict: Verdict, evidence: Evidence): string {
  const { cases, requirements } = verdict;
  const { run } = evidence;
  const url = run?.target.url ?? '';
  const failures = failuresOf(cases);
  const anchors = anchorsOf(failures);
  const parts: readonly (readonly [id: string, title: string, content: readonly Markup[]])[] = [
    ['stale', `Deviations to delete (${verdict.staleDeviations.length})`, staleList(verdict)],
    [
      'absences',
      `Absences to delete (${verdict.staleAbsences.length})`,
      lines(verdict.staleAbsences.map(({ message }) => message)),
    ],
    ['mended', 'Mended', lines(verdict.mended?.map(({ id }) => id) ?? [])],
    ['leftovers', `Left on the target (${verdict.leftovers.length})`, lines(verdict.leftovers)],
    ['grid', 'Kinds × verbs', grid(cases, anchors)],
    ['requirements', `Requirements (${requirements.length})`, requirementTables(requirements)],
    ['failures', `Failures (${failures.length})`, failureLists(failures, anchors, url)],
    ['deviations', 'Deviations', deviationList(cases, url)],
    ['not-offered', 'Not offered', [...capabilityList(run), ...casesByReason(cases, 'not-offered')]],
    ['aliased', `Under another version (${verdict.aliased.line})`, aliasedList(verdict)],
    ['not-run', 'Not run', casesByReason(cases, 'not-run')],
    ['untested', 'Untested', requirementsWithout(requirements, 'untested')],
    ['planned', 'Planned', requirementsWithout(requirements, 'planned')],
    ['unobservable', 'Not observable', requirementsWithout(requirements, 'unobservable')],
    ['notes', 'Notes on the evidence', lines(verdict.notes)],
  ];
  const shown = parts.filter(([, , content]) => content.length > 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${run?.target.name ?? 'No target'}: ${verdict.line}</title>
<style>${trusted(style)}</style>
</head>
<body>
${firstScreen(verdict, evidence)}
<nav aria-label="Sections">${shown.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>
<main>
${shown.flatMap(([id, title, content]) => section(id, title, content) ?? [])}
</main>
</body>
</html>
`.toString();
}
