// Annotations for GitHub Actions: a workflow command for each of the worst failures.
import type { JudgedCase } from '../judge/counts.js';
import { type FailureGroup, failureGroups } from '../judge/failureGroups.js';
import { exampleText } from '../judge/failureMessage.js';
import { failsRun } from '../judge/outcome.js';
import type { Verdict } from '../judge/verdict.js';
import { annotation } from './annotation.js';

/** GitHub shows no more errors of one step. */
const mostAnnotations = 10;

interface Annotation {
  readonly title: string;
  readonly text: string;
}

/** Returns lines for the log of a job, each an error: the requirements that fail the run, then its other problems. */
export function renderAnnotations(verdict: Verdict): string {
  const { cases, strict, outcome } = verdict;
  const isSaid = ({ missing }: JudgedCase): boolean => outcome !== 'could-not-run' || !missing;
  const groups = failureGroups(cases.filter((judged) => failsRun(judged, strict) && isSaid(judged)));
  const problems = verdict.checks.flatMap(({ name, problems }) =>
    problems.map((text) => ({ title: `run: ${name}`, text })),
  );
  const all = [...groups.map(annotationOf), ...problems];
  const rest = all.length - mostAnnotations;
  const shown = rest <= 0 ? all : all.slice(0, mostAnnotations - 1);
  const more = { title: 'more', text: `${all.length - shown.length} more problems are in the report` };
  return [...shown, ...(rest > 0 ? [more] : [])].map(({ title, text }) => annotation(title, text)).join('');
}

function annotationOf({ requirement, failing, example }: FailureGroup): Annotation {
  const cases = `${failing.length.toLocaleString('en-US')} ${failing.length === 1 ? 'case' : 'cases'}`;
  return { title: `${requirement.id}: ${cases}`, text: `${requirement.row.text}\n${exampleText(example)}` };
}
