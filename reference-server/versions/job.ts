// Job of extensions/v1beta1, stored as batch/v1. Their flags for generated selectors have opposite defaults.

import { fieldsOf, typeOf } from '../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { part } from '../schema/object.js';
import type { Conversion } from './conversion.js';

/** The spec of extensions/v1beta1, which present servers do not have. */
interface ExtensionsSpec {
  readonly autoSelector?: boolean;
  readonly selector?: ObjectOf<'LabelSelector'>;
  readonly template?: ObjectOf<'PodTemplateSpec'>;
}

const namesIn = (type: string): ReadonlySet<string> => new Set(fieldsOf(typeOf(type)).map(({ name }) => name));
const specFields = namesIn('extensions.JobSpec');
const statusFields = namesIn('extensions.JobStatus');

export const extensionsJob: Conversion = {
  fromStorage(stored) {
    const { manualSelector, ...rest } = part<ObjectOf<'batch.v1.JobSpec'>>(stored, 'spec');
    const spec = { ...known(specFields, rest), ...(manualSelector !== true && { autoSelector: true }) };
    if (stored.status === undefined) return { ...stored, spec };
    return { ...stored, spec, status: known(statusFields, part(stored, 'status')) };
  },
  toStorage(object) {
    const { autoSelector, selector, template, ...rest } = part<ExtensionsSpec>(object, 'spec');
    const generated = autoSelector === true;
    const matchLabels = template?.metadata?.labels;
    // Without a generated selector, the default selector has the template's labels.
    const chosen = selector ?? (!generated && matchLabels ? { matchLabels } : undefined);
    const spec = { ...rest, ...(chosen && { selector: chosen }), ...(!generated && { manualSelector: true }) };
    return { ...object, spec: { ...spec, ...(template && { template }) } };
  },
};

/** Returns the fields that have these names: the stored version has got more since. */
function known(names: ReadonlySet<string>, fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
}
