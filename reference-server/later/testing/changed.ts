// Changes of fields by their paths, such as `spec.containers[0].image`.
import type { AnyShape } from '../../testing/anyShape.js';

/** Returns a copy of an object with changed fields; an undefined one is removed. */
export function changed(object: AnyShape, fields: AnyShape): AnyShape {
  const copy = structuredClone(object);
  for (const [path, value] of Object.entries(fields)) {
    const steps = path.match(/[^.[\]]+/g) ?? [];
    const last = steps.pop() ?? '';
    const at = steps.reduce((inner, step) => {
      inner[step] ??= {};
      return inner[step];
    }, copy);
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return copy;
}
