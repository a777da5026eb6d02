// The published records as one HTML page: servers as columns, chapters that open to requirements, deviations with proof.
import { groupBy } from '../../../matrix/api/groupBy.js';
import { requirements as everyRequirement } from '../../../suites/requirements/index.js';
import { countOf } from '../../page/words.js';
import { firstLine } from '../../safeText.js';
import { htmlDocument } from '../html/document.js';
import { html, type Markup } from '../html/markup.js';
import { styleOfColumns } from '../html/styleOfColumns.js';
import type { RecordedDeviation, RecordedShare, ServerRecord } from './serverRecord.js';
import { countsOfLevel, shareFraction, sumOfCounts } from './servers.js';

const style = `${styleOfColumns}
.total .what { font-weight: 600; }
.total.cols { padding: .5rem 0 .5rem 1.1rem; }
.cases .cols { padding: .3rem 0; border-top: 1px solid var(--line); }
.server { margin-top: 1.5rem; }
.ok { --mark: var(--passed); } .part { --mark: var(--known-deviation); }
`;

/** Returns the records as a page without a script. */
export function renderServersPage(records: readonly ServerRecord[]): string {
  const chapters = [...new Set(records.flatMap((record) => Object.keys(record.chapters)))];
  const title = `The Kubernetes API on ${countOf(records.length, 'server')}`;
  const description =
    'The share of conformance cases that pass on each server, by chapter and requirement, with every known deviation, its reason and the exchange that shows it.';
  const heads = records.map(
    ({ name, serverVersion }) => html`<span>${firstLine(name, 60)}<br><span class="dim">${serverVersion}</span></span>`,
  );
  const totals = (['required', 'recommended'] as const).map(
    (level) =>
      html`<div class="cols req total"><span class="what">${level}</span>${records.map((record) => cell(record, sumOfCounts(countsOfLevel(record, level))))}</div>`,
  );
  const body = html`<header class="top"><p class="target">kube-api-conformance</p>
<h1>${title}</h1>
<p class="facts-line">The cases that pass, of those that were judged: ✓ all of them pass, ≈ some deviate, – none was judged. Known deviations are judged, and are not passes. What a server does not support is not judged.</p></header>
<main class="runs-${Math.min(records.length, 6)}">
<section id="chapters"><h2>Chapters</h2><p class="dim">A chapter opens to its requirements.</p>
<div class="cols heads" aria-hidden="true"><span class="what"></span>${heads}</div>
${totals}${chapters.map((chapter) => chapterRow(chapter, records))}</section>
<section id="deviations"><h2>Known deviations</h2><p class="dim">What a server is known to do otherwise, with the reason that its target file gives and one exchange that shows it. A deviation is one reason, for some cases of one requirement or more; a verdict counts the required requirements that deviate.</p>
${records.map(serverDeviations)}</section>
</main>
<footer><p>${records.map(({ name, startedAt, version }) => `${firstLine(name, 60)}: run on ${startedAt.slice(0, 10)} with kube-api-conformance ${version}. `).join('')}</p></footer>`;
  return htmlDocument({ title, description, body, style });
}

function chapterRow(chapter: string, records: readonly ServerRecord[]): Markup {
  const known = everyRequirement.filter((one) => one.chapter === chapter);
  const rows = known.flatMap(({ id, row }) => {
    const shares = records.map(({ requirements }) => requirements[id]);
    if (shares.every((share) => share === undefined)) return [];
    const cells = records.map((record, index) => recordedCell(record, shares[index]));
    return [
      html`<div class="cols"><span class="what">${row.text}<span class="dim"><code>${id}</code> ${row.level}</span></span>${cells}</div>`,
    ];
  });
  const cells = records.map((record) => cell(record, sumOfCounts(Object.values(record.chapters[chapter] ?? {}))));
  return html`<details class="req"><summary class="cols"><span class="what">${chapter}</span>${cells}</summary><div class="cases">${rows.length === 0 ? html`<p class="dim">These records have no requirements.</p>` : rows}</div></details>`;
}

function recordedCell(record: ServerRecord, share: RecordedShare | undefined): Markup {
  if (share === undefined) return cell(record, [0, 0], 'not selected');
  const [passed, judged] = share;
  return cell(record, [passed, judged], 'not supported');
}

function cell({ name }: ServerRecord, [passed, judged]: readonly [number, number], none = '–'): Markup {
  const look = judged === 0 ? 'none' : passed === judged ? 'ok' : 'part';
  const text = judged === 0 ? none : shareFraction([passed, judged]);
  const sign = judged === 0 ? '' : passed === judged ? '✓' : '≈';
  const percent = judged === 0 ? 0 : Math.floor((100 * passed) / judged);
  return html`<span class="fraction ${look}"><span class="run">${firstLine(name, 60)}: </span><span class="sign" aria-hidden="true">${sign}</span> ${text}<i class="share of${percent}"></i></span>`;
}

function serverDeviations({ name, deviations, line }: ServerRecord): Markup {
  const reasons = [...groupBy(deviations, ({ reason }) => reason).values()];
  const items = reasons.map((members) => html`<li>${deviationMarkup(members)}</li>`);
  const ids = new Set(deviations.flatMap(({ requirements }) => requirements));
  const cases = deviations.reduce((sum, one) => sum + one.cases, 0);
  const units = `${countOf(reasons.length, 'reason')}, ${countOf(ids.size, 'requirement')}, ${countOf(cases, 'case')}`;
  const list = html`<details class="equal"><summary>Known deviations: ${units}</summary><ul class="entries">${items}</ul></details>`;
  return html`<div class="server"><h3>${firstLine(name, 60)}</h3><p class="dim">${firstLine(line, 2_000)}</p>${items.length === 0 ? html`<p>No known deviations.</p>` : list}</div>`;
}

function deviationMarkup(members: readonly RecordedDeviation[]): Markup | undefined {
  const [first] = members;
  if (first === undefined) return undefined;
  const ids = [...new Set(members.flatMap(({ requirements }) => requirements))];
  const cases = members.reduce((sum, one) => sum + one.cases, 0);
  const exchange =
    first.exchange === undefined
      ? undefined
      : html`<details class="equal"><summary>One exchange</summary><pre tabindex="0">${first.exchange}</pre></details>`;
  return html`<b>${first.reason}</b><p class="dim">${ids.map((id) => html`<code>${id}</code> `)}· ${countOf(cases, 'case')}</p><p class="message">${first.subject}: ${first.message}</p>${exchange}`;
}
