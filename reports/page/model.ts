// Expands the data of the page to cases with names.
import type { Island, IslandRequirement } from './island.js';
import { type CaseVerdictName, caseVerdicts, type LevelWord } from './words.js';

export interface RequirementView extends IslandRequirement {
  readonly chapter: string;
  readonly level: LevelWord;
}

/** A case for the views. Kind, verb, media type and mechanism are empty if it has none. */
export interface CaseView {
  readonly index: number;
  readonly requirement: RequirementView;
  readonly subject: string;
  readonly kind: string;
  readonly verb: string;
  readonly media: string;
  readonly mechanism: string;
  readonly verdict: CaseVerdictName;
  readonly message: string;
  /** The reason of a declared deviation. */
  readonly reason: string;
}

export interface Model {
  readonly island: Island;
  readonly requirements: readonly RequirementView[];
  readonly cases: readonly CaseView[];
  /** The number of the template with the evidence of a case. */
  readonly templates: ReadonlyMap<number, number>;
  readonly beside: ReadonlyMap<number, string>;
}

/** `<requirement> › <subject>`. */
export function caseId({ requirement, subject }: CaseView): string {
  return `${requirement.id} › ${subject}`;
}

/** Groups cases by a key, in the order in which the keys first occur. */
export function groupCases<Key>(cases: Iterable<CaseView>, keyOf: (one: CaseView) => Key): Map<Key, CaseView[]> {
  const groups = new Map<Key, CaseView[]>();
  for (const one of cases) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

export function isFailedCase({ verdict }: Pick<CaseView, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'blocked';
}

export function modelOf(island: Island): Model {
  const verdictOf = new Map<string, CaseVerdictName>(caseVerdicts.map(({ letter, name }) => [letter, name]));
  const requirements = island.requirements.map((row): RequirementView => {
    const chapter = row.id.slice(0, row.id.indexOf('.'));
    return { ...row, chapter, level: row.recommended ? 'recommended' : 'required' };
  });
  const subjects = island.subjects.map(([text, operation, media, mechanism, kind, verb]) => ({
    subject: (island.operations[operation] ?? '') + text,
    kind: island.kinds[kind] ?? '',
    verb: island.verbs[verb] ?? '',
    media: island.media[media] ?? '',
    mechanism: island.mechanisms[mechanism] ?? '',
  }));
  const none = { subject: '', kind: '', verb: '', media: '', mechanism: '' };
  const cases: CaseView[] = [];
  let failures = 0;
  let declared = 0;
  for (const requirement of requirements) {
    for (let left = requirement.cases; left > 0; left -= 1) {
      const index = cases.length;
      const verdict = verdictOf.get(island.verdicts.charAt(index)) ?? 'failed';
      const message = verdict === 'passed' ? '' : (island.messages[island.messageOf[failures] ?? -1] ?? '');
      const reason = verdict === 'known-deviation' ? (island.reasons[island.reasonOf[declared] ?? -1] ?? '') : '';
      if (verdict !== 'passed') failures += 1;
      if (verdict === 'known-deviation') declared += 1;
      const about = subjects[island.subjectOf[index] ?? -1] ?? none;
      cases.push({ index, requirement, ...about, verdict, message, reason });
    }
  }
  return { island, requirements, cases, templates: new Map(island.templates), beside: new Map(island.beside) };
}
