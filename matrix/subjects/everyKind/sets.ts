// The subject sets that are walked over kinds which only the target knows, with the verbs that each set needs.
import type { Verb } from '../../api/index.js';
import type { SubjectSet } from '../index.js';

/**
 * The needs of a set. `nothing`: its requests need no object, so it is walked over every kind. `create`: a create is
 * enough, as for reviews, which are never stored. A list of verbs: objects that are created, read, listed and deleted,
 * and these verbs too.
 */
export type NeededVerbs = 'nothing' | 'create' | readonly Verb[];

/** The verbs of kinds whose objects a run makes and removes. */
export const storing = ['create', 'read', 'list', 'delete'] as const satisfies readonly Verb[];

const change = ['replace'] as const;
const changeBoth = ['replace', 'patch'] as const;

/** The sets that need a value which only the schema of a kind can give: a status to write, or another spec. */
export const neededTraits: Partial<Record<SubjectSet, 'status' | 'otherSpec'>> = {
  statusReads: 'status',
  statusReplaces: 'status',
  statusPatches: 'status',
  statusWrites: 'otherSpec',
  mainWrites: 'status',
  refusedStatuses: 'status',
};

/** Every walked set; a set that is not listed is about one kind of the interface, or about the server as a whole. */
export const walkedSets: Partial<Record<SubjectSet, NeededVerbs>> = {
  // what the server declares
  statedOperations: 'nothing',
  discoveries: 'nothing',
  discoveredResources: 'nothing',
  clusterScopedKinds: 'nothing',
  // responses
  responses: 'create',
  requests: 'create',
  versionedWrites: [],
  versionedReads: [],
  sharedObjects: changeBoth,
  sharedWatches: changeBoth,
  // lists and reads
  lists: [],
  emptyLists: [],
  namespacedLists: [],
  sharedNames: change,
  reads: change,
  namespacedReads: [],
  // plain writes
  creates: [],
  racingCreates: [],
  generatedNames: [],
  refusedCreates: [],
  namespacedCreates: [],
  replaces: [],
  racingReplaces: [],
  refusedReplaces: [],
  deletes: [],
  deletesWithoutOptions: [],
  refusedDeletes: [],
  deleteCollections: [],
  selectedDeleteCollections: [],
  namespacedDeleteCollections: [],
  // delete options
  acceptedDeleteOptions: [],
  emptyDeleteOptions: [],
  refusedDeleteOptions: [],
  metPreconditions: [],
  dryDeletes: [],
  doneDeletes: [],
  heldDeletes: changeBoth,
  heldCollections: changeBoth,
  otherGraces: [],
  collectionOptions: [],
  recreated: [],
  // patches
  patches: [],
  applies: [],
  newApplies: [],
  patchesAgain: [],
  refusedPatches: change,
  concurrentPatches: [],
  patchTypesRefused: [],
  patchTypeParameters: [],
  strategicKeys: [],
  strategicPrimitiveLists: [],
  strategicPrimitiveDeletes: [],
  // selectors
  selections: [],
  malformedSelections: 'nothing',
  malformedWatches: 'nothing',
  selectedWatchesOfOne: changeBoth,
  labelDeleteCollections: [],
  fieldDeleteCollections: [],
  malformedDeleteCollections: [],
  unselectedDeleteCollections: [],
  // parameters
  prettyAnswers: 'create',
  prettyReads: [],
  prettyWatches: changeBoth,
  unknownParameters: 'create',
  parameterLists: [],
  exactLists: [],
  pages: [],
  expiredPages: [],
  watchedDeleteCollections: [],
  names: [],
  namespacedNames: [],
  dryRuns: [],
  dryClaims: [],
  // subresources
  statusReads: change,
  statusReplaces: [],
  statusPatches: [],
  statusWrites: [],
  mainWrites: [],
  sameReplaces: [],
  refusedStatuses: change,
  statusesOfAbsent: [],
  scaleReads: ['patch'],
  scaleReplaces: ['patch'],
  scalePatches: ['patch'],
  scaleWrites: ['patch'],
  refusedScales: ['patch'],
  scalesOfAbsent: [],
  // watches
  watchForms: changeBoth,
  listForms: changeBoth,
  prefixForms: changeBoth,
  writtenWatches: changeBoth,
  selectedWatches: changeBoth,
  groupWatches: changeBoth,
  watchAnswers: 'nothing',
  watchHistories: changeBoth,
  histories: changeBoth,
  boundedWatches: 'nothing',
  // errors
  malformedBodies: [],
  wrongKinds: [],
  missingBodies: [],
  missingPatches: [],
  refusedBodies: [],
  unknownMediaTypes: 'create',
  unknownPatchTypes: [],
  unacceptableTypes: 'create',
  invalidNames: [],
  unauthenticated: 'nothing',
  // authentication
  authenticatedOperations: 'create',
  refusedOperations: 'nothing',
  // the server's own OpenAPI
  declaredAnswers: 'nothing',
  declaredAccepts: 'nothing',
  declaredBodies: 'create',
  declaredParameters: 'nothing',
  declaredSelections: [],
  declaredDryRuns: 'create',
};
