// The effect of a write on a whole object, in every place that shows it.
export { boundMetadata, unbind } from './bound.js';
export {
  type Change,
  difference,
  isChange,
  isSame,
  mergedWithout,
} from './compare.js';
export { checksOfPlaces, observeEverywhere, type SeenEverywhere } from './everywhere.js';
export { isOneState, type Observed, observe, type Place, placesOf, seenIn, stateIn } from './observe.js';
export { type Past, statesInWatch, versionOf, type Written } from './places.js';
export { isRefused, isUntouched, observeVain, observeVains, type Untouched, type Vains } from './refused.js';
export { makerAtRest, makerOfMoved } from './settled.js';
export { completed } from './twins.js';
