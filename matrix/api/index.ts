// The addresses of the interface: the operations and types that the server and the suite share.
export { defined } from './defined.js';
export { type FoundKind, nameOfKind, tableOfKinds } from './found.js';
export { type Mechanism, mechanisms } from './mechanisms.js';
export { applyPatchType, type MediaType, type MediaTypes, mediaTypes, patchTypes, protobufType } from './mediaTypes.js';
export { type Operation, operations, pageOf, pathOf, statedOperations } from './operations.js';
export { laterParameters, type Parameter, parameterSets } from './parameters.js';
export {
  apiVersionOf,
  type FoundTraits,
  type GroupVersion,
  groupVersions,
  type Resource,
  resourceId,
  resources,
} from './resources/index.js';
export { type BodyForm, type Method, subresourceOf, type Verb, type VerbRow, verbs } from './verbs.js';
