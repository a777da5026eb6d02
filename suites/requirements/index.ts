// The required behaviour: the requirements, their subjects, and the types of targets and evidence. `rules.ts`
// joins them with the rules of the interface.

export {
  type Feature,
  type FeatureName,
  featureNames,
  featureOf,
  type Listing,
  type MinorVersion,
} from '../../matrix/subjects/features.js';
export {
  type allowedBodies,
  type defaultedBodies,
  type fixedFields,
  type invalidBodies,
  type OperationSubject,
  type Subject,
  type SubjectOf,
  type SubjectSet,
  subjectSets,
} from '../../matrix/subjects/index.js';
export {
  allCases,
  type Case,
  caseId,
  foundSubjects,
  isAskedOfFound,
  type Requirement,
  requirements,
} from './cases.js';
export { type ChapterName, chapters } from './chapters.js';
export {
  type Choice,
  type Chosen,
  choose,
  chosenBy,
  type EvidenceChoice,
  evidenceChoices,
  isNamed,
  readsOnly,
} from './choice.js';
export type * from './evidence.js';
export { absenceFor, featuresOf } from './needs.js';
export { covers, matches, matchesWhole, quoted, requirementsOf, subjectsOf } from './pattern.js';
export { profiles } from './profiles.js';
export type * from './target.js';
export {
  type Chapter,
  type CheckedNames,
  type CheckedRow,
  isChecked,
  type Level,
  type RequirementRow,
} from './types.js';
