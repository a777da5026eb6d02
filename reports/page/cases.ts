// The cases by requirement, with the outcome of each case. Rows and evidence are built when they are opened.
import { buildTree, el } from './dom.js';
import { type Filter, fragmentOf } from './filter.js';
import type { IslandRule, Tree } from './island.js';
import { stateChip } from './marks.js';
import { type CaseView, caseId, groupCases, isFailedCase, type Model, type RequirementView } from './model.js';
import { caseVerdicts, countOf, shellWord, stateWord, symbolOf } from './words.js';

/** The number of cases that are shown before the button for more. */
const batch = 100;

const rank = new Map<string, number>(caseVerdicts.map(({ name }, index) => [name, index]));

/** Orders cases by urgency: failures of required cases, then of recommended ones, then the rest by verdict. */
function byAttention(a: CaseView, b: CaseView): number {
  const weight = (one: CaseView): number =>
    (isFailedCase(one) && one.requirement.level === 'recommended' ? 1.5 : 0) + (rank.get(one.verdict) ?? 0);
  return weight(a) - weight(b) || a.index - b.index;
}

/** Returns the cases as a list. `none`: what it says without cases. */
export function caseList(model: Model, cases: readonly CaseView[], filter: Filter, none: string): HTMLElement {
  const sorted = [...cases].sort(byAttention);
  // The cases of one requirement stay together, at the position of the first of them.
  const ordered = [...groupCases(sorted, ({ requirement }) => requirement).values()].flat();
  const list = el('div', { class: 'cases' });
  if (ordered.length === 0) {
    list.append(el('p', { class: 'nothing' }, none));
    return list;
  }
  let shown = 0;
  let section: HTMLElement | undefined;
  let last: RequirementView | undefined;
  const more = el('button', { type: 'button', class: 'more' });
  const show = (): void => {
    for (const one of ordered.slice(shown, shown + batch)) {
      if (one.requirement !== last || !section) {
        section = requirementSection(model, one.requirement);
        list.insertBefore(section, more);
        last = one.requirement;
      }
      section.append(caseRow(model, one));
    }
    shown = Math.min(shown + batch, ordered.length);
    more.hidden = shown === ordered.length;
    more.textContent = `Show ${Math.min(batch, ordered.length - shown)} more (${countOf(ordered.length - shown, 'case')} left)`;
  };
  list.append(more);
  more.addEventListener('click', () => {
    const before = list.querySelectorAll('details.case').length;
    show();
    list.querySelectorAll<HTMLElement>('details.case > summary')[before]?.focus();
  });
  show();
  // A link to one case opens it.
  if (filter.case || ordered.length === 1) list.querySelector('details.case')?.setAttribute('open', '');
  return list;
}

function requirementSection(model: Model, { id, level, text, rule }: RequirementView): HTMLElement {
  return el(
    'section',
    { class: 'requirement', 'aria-label': id },
    el('h3', {}, text),
    el(
      'p',
      { class: 'dim' },
      el('a', { href: fragmentOf({ view: 'requirements', filter: { requirement: id } }) }, el('code', {}, id)),
      ` · ${level}`,
    ),
    quoted(model.island.rules[rule]),
  );
}

/** Returns the rule of the interface that a requirement checks: its text, a link, and its importance for clients. */
function quoted(rule: IslandRule | undefined): HTMLElement | undefined {
  if (rule === undefined) return undefined;
  const [number, title, text, why, url] = rule;
  return el(
    'blockquote',
    { class: 'rule' },
    el('p', {}, el('a', { href: url }, `Rule ${number}: ${title}`)),
    el('p', {}, ...withCode(text)),
    el('p', { class: 'dim' }, 'Why it matters: ', ...withCode(why)),
  );
}

const withCode = (text: string): (HTMLElement | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? el('code', {}, part) : part));

function caseRow(model: Model, one: CaseView): HTMLElement {
  const { verdict, subject } = one;
  const line = one.reason || one.message;
  const summary = el(
    'summary',
    {},
    el(
      'span',
      { class: `sign ${verdict}`, title: stateWord(verdict) },
      el('span', { 'aria-hidden': 'true' }, symbolOf(verdict)),
      el('span', { class: 'unseen' }, stateWord(verdict)),
    ),
    el('span', { class: 'subject' }, subject),
    line === '' ? undefined : el('span', { class: 'line' }, line),
  );
  const row = el('details', { class: `case ${verdict}` }, summary);
  row.addEventListener('toggle', () => {
    if (row.open && row.children.length === 1) row.append(detail(model, one));
  });
  return row;
}

function detail(model: Model, one: CaseView): HTMLElement {
  const { verdict, message, reason, index } = one;
  const template = model.templates.get(index);
  const held = template === undefined ? null : document.getElementById(`evidence-${template}`);
  const href = model.beside.get(index);
  const body = el('div', { class: 'detail' });
  if (reason !== '') body.append(el('p', {}, stateChip('known-deviation'), ` ${reason}`));
  if (held) {
    if (verdict === 'passed') body.append(el('p', { class: 'dim' }, 'Passed. This is the last exchange of the case.'));
    body.append(...(JSON.parse(held.textContent ?? '') as readonly Tree[]).map(buildTree));
  } else {
    if (message !== '') body.append(el('p', { class: 'message' }, message));
    if (href !== undefined)
      body.append(el('p', {}, el('a', { href }, 'What was sent and what came back'), ', in a file beside this page'));
    else body.append(...without(model, one));
  }
  const id = caseId(one);
  body.append(copyable('Run just this case', `${model.island.command} --grep ${shellWord(id)}`));
  body.append(
    el(
      'p',
      { class: 'dim' },
      el('a', { href: fragmentOf({ view: 'cases', filter: { case: id } }) }, 'Link to this case'),
      ' · ',
      el('code', {}, id),
    ),
  );
  return body;
}

/** Returns the text for a case whose evidence is not on the page; for a passed case, a pointer to a similar one. */
function without(model: Model, { verdict, requirement }: CaseView): HTMLElement[] {
  if (verdict !== 'passed') return [el('p', { class: 'dim' }, whyWithout(verdict))];
  const like = model.cases.find((one) => one.requirement === requirement && model.templates.has(one.index));
  const link = like && el('a', { href: fragmentOf({ view: 'cases', filter: { case: caseId(like) } }) }, like.subject);
  return [
    el(
      'p',
      { class: 'dim' },
      'Passed. The report shows the exchange of one passed case of each requirement',
      ...(link ? [': ', link] : []),
      '.',
    ),
    el('p', { class: 'dim' }, 'A report made with --evidence all shows every one.'),
  ];
}

function whyWithout(verdict: CaseView['verdict']): string {
  if (verdict === 'not-supported')
    return 'Not supported: nothing was asked of the server, or its answer could not be judged.';
  if (verdict === 'skipped') return 'Skipped: nothing was judged.';
  return 'The exchanges, where there were any, are in evidence.jsonl.gz.';
}

function copyable(label: string, text: string): HTMLElement {
  return el(
    'div',
    { class: 'copyable' },
    el('h4', {}, label),
    el('pre', { tabindex: '0' }, text),
    el('button', { type: 'button', class: 'copy', 'aria-label': `Copy: ${label}` }, 'Copy'),
    el('span', { class: 'told', role: 'status' }),
  );
}
