// Job of extensions/v1beta1, stored as batch/v1: what one generates unless told not to, the other generates if told to.
import { part } from '../../schema/object.js';
import type { LabelSelector } from '../strategies/labelSelector.js';
import type { PodTemplate } from '../strategies/workloads.js';
import type { Conversion } from './index.js';

interface StoredSpec {
  readonly manualSelector?: boolean;
}

interface ExtensionsSpec {
  readonly autoSelector?: boolean;
  readonly selector?: LabelSelector;
  readonly template?: PodTemplate;
}

export const extensionsJob: Conversion = {
  fromStored(stored) {
    const { manualSelector, ...rest } = part<StoredSpec>(stored, 'spec');
    return { ...stored, spec: { ...rest, ...(manualSelector !== true && { autoSelector: true }) } };
  },
  toStored(draft) {
    const { autoSelector, selector, template, ...rest } = part<ExtensionsSpec>(draft, 'spec');
    const generated = autoSelector === true;
    const matchLabels = template?.metadata?.labels;
    // What it selects by itself is what its template says.
    const chosen = selector ?? (!generated && matchLabels ? { matchLabels } : undefined);
    const spec = { ...rest, ...(chosen && { selector: chosen }), ...(!generated && { manualSelector: true }) };
    return { ...draft, spec: { ...spec, ...(template && { template }) } };
  },
};
