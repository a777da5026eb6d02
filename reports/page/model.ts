// Unfolds the data of the page to cases that have names.
import type { Island, IslandRequirement } from './island.js';
import { type CaseVerdictName, caseVerdicts, type LevelWord } from './words.js';

/** A requirement as the views see it. */
export interface RequirementView extends IslandRequirement {
  readonly chapter: string;
  readonly level: LevelWord;
}

/** A case as the views see it. Kind, verb, media type and mechanism are empty where it has none. */
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
  /** Why the target's owner declared it, for a deviation. */
  readonly reason: string;
}

/** All that the views are made of. */
export interface Model {
  readonly island: Island;
  readonly requirements: readonly RequirementView[];
  readonly cases: readonly CaseView[];
  /** The number of the template that has the evidence of a case. */
  readonly templates: ReadonlyMap<number, number>;
  readonly beside: ReadonlyMap<number, string>;
}

/** The id of a case. */
export function idOf({ requirement, subject }: CaseView): string {
  return `${requirement.id} › ${subject}`;
}

/** Whether a case counts as a failure. */
export function failed({ verdict }: Pick<CaseView, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'blocked';
}

/** Unfolds the data. */
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
  let told = 0;
  let declared = 0;
  for (const requirement of requirements) {
    for (let left = requirement.cases; left > 0; left -= 1) {
      const index = cases.length;
      const verdict = verdictOf.get(island.verdicts.charAt(index)) ?? 'failed';
      const message = verdict === 'passed' ? '' : (island.messages[island.messageOf[told] ?? -1] ?? '');
      const reason = verdict === 'known-deviation' ? (island.reasons[island.reasonOf[declared] ?? -1] ?? '') : '';
      if (verdict !== 'passed') told += 1;
      if (verdict === 'known-deviation') declared += 1;
      const about = subjects[island.subjectOf[index] ?? -1] ?? none;
      cases.push({ index, requirement, ...about, verdict, message, reason });
    }
  }
  return { island, requirements, cases, templates: new Map(island.templates), beside: new Map(island.beside) };
}
