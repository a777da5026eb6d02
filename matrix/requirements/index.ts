// What must happen: the requirements, their subjects, and the shapes of target and evidence.
export { breaksOf } from './breaks/index.js';
export { allCases, type Case, caseId, type Requirement, requirements } from './cases.js';
export { type ChapterName, chapters } from './chapters/index.js';
export {
  type Choice,
  type Chosen,
  choiceOf,
  choose,
  chosenBy,
  type EvidenceChoice,
  evidenceChoices,
  profiles,
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
export {
  anchorOf,
  interfaceUrl,
  type Rule,
  requirementsOfRule,
  ruleOf,
  rules,
  type Section,
  sections,
  type TableName,
} from './interface/index.js';
export { featuresOf } from './needs.js';
export { covers, matches, quoted, requirementsOf, subjectsOf } from './pattern.js';
export { currentChapter, currentId } from './renamed.js';
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
