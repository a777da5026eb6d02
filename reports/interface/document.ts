// docs/interface.md: the rules of the interface, each with its anchor, its level and the requirements that check it.
import { statedOperations } from '../../matrix/api/index.js';
import { anchorOf, type Rule, rules, type Section, sections } from '../../matrix/interface/index.js';
import { isChecked, type Requirement, requirements } from '../../suites/requirements/index.js';
import { requirementsOfRule, ruleOf } from '../../suites/requirements/rules.js';
import { plural } from '../counts.js';
import { tableLines } from './tables.js';

/** Returns the page in Markdown. */
export function renderInterface(): string {
  const lines = [...introduction(), ...contents(), ...sections.flatMap(sectionLines)];
  return `${lines.join('\n')}\n`;
}

const isRequired = ({ row }: Requirement): boolean => row.level === 'required';
const isJudged = ({ row }: Requirement): boolean => isChecked(row);
const code = (text: string): string => `\`${text}\``;

function introduction(): string[] {
  const judged = requirements.filter(isJudged);
  const required = judged.filter(isRequired).length;
  return [
    '<!-- Made by `npm run docs` from matrix/interface: change the rules there. -->',
    '',
    '# The interface',
    '',
    'This page specifies the interface that `kube-api-conformance` checks: **the API surface of Kubernetes 1.5**, that is the core group',
    `\`v1\`, \`autoscaling/v1\`, \`batch/v1\` and \`extensions/v1beta1\`, ${statedOperations.length} operations in all, and the authentication of requests.`,
    'Later servers are checked on the part of it that they still serve. The page stands by itself: a server can be written from it.',
    '',
    `It has ${sections.length} sections and ${rules.length} rules, and ${judged.length} requirements check them: ${required} required and ${judged.length - required} recommended ones.`,
    '',
    '- **must** marks what is **required**: the description of the API that this page is written from states it. It decides whether a server is conformant.',
    '- **should** marks what is **recommended**: that description leaves it open, recorded exchanges with real servers agree on it, and clients rely on it. It is checked and counted apart, and decides nothing unless the run is `--strict`.',
    '- A rule that no request can show says so, with the reason. Such a rule is not checked.',
    '',
    'Where the interface is open to more than one reading, [How the interface is read](readings.md) records the decision. Numbers of rules do not change: a link to a rule stays valid.',
    '`npx kube-api-conformance explain 4.2` prints a rule, and `npx kube-api-conformance explain responses.status` a requirement, with the number of its cases and the servers that are known to deviate.',
    '',
  ];
}

function contents(): string[] {
  return [
    '## Contents',
    '',
    ...sections.map(({ number, title, rules: own }) => {
      const links = own.map((rule) => `[${rule.title}](#${anchorOf(rule.number)})`);
      return `${number}. [**${title}**](#s-${number}): ${links.join(' · ')}`;
    }),
    '',
  ];
}

function sectionLines({ number, title, introduction: text, rules: own }: Section): string[] {
  return [`## <a id="s-${number}"></a>${number} ${title}`, '', linked(text), '', ...own.flatMap(ruleLines)];
}

function ruleLines(rule: Rule): string[] {
  const own = requirementsOfRule(rule.number);
  return [
    `### <a id="${anchorOf(rule.number)}"></a>${rule.number} ${rule.title}`,
    '',
    `**${levelOf(rule, own)}**`,
    '',
    linked(rule.text),
    '',
    ...(rule.table ? [...tableLines(rule.table), ''] : []),
    ...(rule.details ? [...rule.details, ''] : []),
    `_Why it matters:_ ${rule.why}`,
    '',
    ...checks(rule, own),
    ...unseen(own),
  ];
}

/** Returns the level of a rule, such as "Required, in part recommended". */
function levelOf({ text }: Rule, own: readonly Requirement[]): string {
  const judged = own.filter(isJudged);
  if (judged.length === 0) return own.length > 0 ? 'Not checked' : 'Required';
  if (judged.every(isRequired)) return 'Required';
  return judged.some(isRequired) || /\bmust\b/.test(text) ? 'Required, in part recommended' : 'Recommended';
}

/** Returns the requirements of a rule, folded, because the rules matter most on this page. */
function checks(rule: Rule, own: readonly Requirement[]): string[] {
  const judged = own.filter(isJudged);
  if (judged.length === 0) return besides(rule, own);
  const rows = judged.map(
    (requirement) =>
      `- ${code(requirement.id)} (${isRequired(requirement) ? 'required' : 'recommended'}): ${escaped(requirement.row.text)}`,
  );
  return [
    '<details>',
    `<summary>Checked by ${plural(judged.length, 'requirement')}</summary>`,
    '',
    ...rows,
    '',
    '</details>',
    '',
  ];
}

/** Returns the requirements of other rules that notice a violation, for a rule without requirements of its own. */
function besides(rule: Rule, own: readonly Requirement[]): string[] {
  if (own.length > 0) return [];
  const links = (rule.checkedBy ?? []).map((id) => {
    const { number } = ruleOf(id);
    return `${code(id)} (rule [${number}](#${anchorOf(number)}))`;
  });
  return [`Checked by ${listed(links)}.`, ''];
}

function unseen(own: readonly Requirement[]): string[] {
  return own.flatMap(({ row }) =>
    'reason' in row ? [`_No request can show this:_ ${escaped(row.text)} ${escaped(row.reason)}`, ''] : [],
  );
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Returns the text with all markup escaped, except code in backticks. */
const escaped = (text: string): string => text.replace(/[<>*_|[\]$]/g, (character) => `\\${character}`);

/** Returns the text with links for rules and sections that it mentions. */
const linked = (text: string): string =>
  text
    .replace(/\b([Rr]ules?) (\d+\.\d+)(?: or (\d+\.\d+))?/g, (_, word: string, first: string, second?: string) => {
      const to = (number: string): string => `[${number}](#${anchorOf(number)})`;
      return `${word} ${to(first)}${second === undefined ? '' : ` or ${to(second)}`}`;
    })
    .replace(/\b([Ss]ection) (\d+)\b/g, (_, word: string, number: string) => `[${word} ${number}](#s-${number})`);
