// The required behaviour: the requirements, their subjects, and the types of targets and evidence. The rules of the
// interface and the effects on clients have an index of their own: only reports need them, and not each worker.
export {
  allCases,
  type Case,
  caseId,
  foundSubjects,
  isAskedOfFound,
  type Requirement,
  requirements,
} from './cases.js';
export { type ChapterName, chapters } from './chapters/index.js';
export {
  type Choice,
  type Chosen,
  choose,
  chosenBy,
  type EvidenceChoice,
  evidenceChoices,
  isNamed,
} from './choice.js';
export type * from './evidence.js';
export {
  type Feature,
  type FeatureName,
  featureNames,
  featureOf,
  type Listing,
  type MinorVersion,
} from './features.js';
export { absenceFor, featuresOf } from './needs.js';
export { covers, matches, matchesWhole, quoted, requirementsOf, subjectsOf } from './pattern.js';
export { profiles } from './profiles.js';
export {
  type defaultedBodies,
  type fixedFields,
  type invalidBodies,
  type OperationSubject,
  type Subject,
  type SubjectOf,
  type SubjectSet,
  subjectSets,
} from './subjects.js';
export type * from './target.js';
export {
  type Chapter,
  type CheckedNames,
  type CheckedRow,
  isChecked,
  isPlanned,
  type Level,
  type RequirementRow,
  type SetsOf,
} from './types.js';
