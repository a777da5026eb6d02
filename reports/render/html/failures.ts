// Each failure with what was required, what came, the exchanges that prove it, and a line that reproduces it.
import type { Exchange } from '../../../matrix/requirements/index.js';
import { groupBy, type JudgedCase, plural } from '../../counts.js';
import { curlLine } from '../curl.js';
import { requestText, responseText } from '../exchangeText.js';
import { fairShare } from '../failures.js';
import { firstLine } from '../visible.js';
import { chip, foldedIds } from './marks.js';
import { html, type Markup } from './markup.js';

/** How many failures are shown in full. */
const inlineFailures = 200;

/** The place on the page of each failure that is shown in full. */
export function anchorsOf(failures: readonly JudgedCase[]): Map<JudgedCase, string> {
  const shown = fairShare(
    failures.filter(({ missing }) => !missing),
    inlineFailures,
  );
  return new Map(shown.map((judged, index) => [judged, `f${index + 1}`]));
}

/** The failures by requirement: those with an anchor in full, the others by id. */
export function failureLists(
  failures: readonly JudgedCase[],
  anchors: ReadonlyMap<JudgedCase, string>,
  url: string,
): Markup[] {
  const missing = failures.filter((judged) => judged.missing);
  const groups = groupBy(
    failures.filter((judged) => !judged.missing),
    ({ requirement }) => requirement.id,
  );
  return [
    ...(anchors.size > 0 ? [intro] : []),
    ...[...groups.values()].map((cases) => requirementFailures(cases, anchors, url)),
    ...(missing.length > 0 ? [unfinished(missing)] : []),
  ];
}

/** The exchanges of a case, each with its curl line. */
export function exchangeList(exchanges: readonly Exchange[], url: string): Markup[] {
  return exchanges.map(
    (exchange) => html`<p class="label">Request</p><pre>${requestText(exchange)}</pre>
<p class="label">Answer</p><pre>${responseText(exchange)}</pre>
<p class="label">The same request with curl${exchange.request.body?.cut ? ' (its body was cut when it was recorded)' : ''}</p>
<pre>${curlLine(exchange, url)}</pre>`,
  );
}

const intro = html`<p class="dim">In the curl lines <code>$TOKEN</code> is a bearer token that the target accepts and <code>$CA</code> the file of the authority that signed its certificate.</p>`;

function requirementFailures(
  cases: readonly JudgedCase[],
  anchors: ReadonlyMap<JudgedCase, string>,
  url: string,
): Markup {
  const requirement = cases[0]?.requirement;
  const inline = cases.flatMap((judged) => {
    const anchor = anchors.get(judged);
    return anchor ? [failure(judged, anchor, url)] : [];
  });
  const rest = cases.filter((judged) => !anchors.has(judged));
  return html`<h3>${requirement?.row.text}</h3>
<p class="dim"><a href="#r-${requirement?.id}"><code>${requirement?.id}</code></a> · ${requirement?.row.level} · ${requirement && sourcesInShort(requirement.row.source)} · ${plural(cases.length, 'failure')}</p>
${inline}
${
  rest.length > 0
    ? foldedIds(
        `${plural(rest.length, 'failure')} by id only; the exchanges are in evidence.jsonl`,
        rest.map(({ id }) => id),
      )
    : undefined
}`;
}

function failure({ subject, verdict, message, exchanges }: JudgedCase, anchor: string, url: string): Markup {
  const title = firstLine(message ?? '', 160);
  const evidence =
    exchanges.length > 0 ? exchangeList(exchanges, url) : html`<p class="dim">No exchange was recorded.</p>`;
  return html`<details id="${anchor}"><summary>${verdict === 'failed' ? undefined : chip(verdict)} <b>${subject}</b><br><span class="dim">${title}</span></summary>
${message && message.trim() !== title ? html`<p class="message">${message}</p>` : undefined}
${evidence}
</details>`;
}

function sourcesInShort(sources: readonly string[]): string {
  const rest = sources.length - 3;
  return `${sources.slice(0, 3).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function unfinished(cases: readonly JudgedCase[]): Markup {
  return html`<h3>Without a verdict</h3>
<p>${cases[0]?.message}</p>
${foldedIds(
  plural(cases.length, 'case'),
  cases.map(({ id }) => id),
)}`;
}
