// The rules for new events of events.k8s.io/v1: all that was optional is required, and the older fields are not set.

import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { validateName } from '../../../registry/metadata.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Subdomain, qualifiedName } from '../../../schema/formats.js';
import type { KubeObject } from '../../../schema/object.js';

const mostCharacters = 128;
const mostOfNote = 1024;
const types: readonly unknown[] = ['Normal', 'Warning'];

/** Checks a new event, with the names of fields that real servers use in their answers. */
export function validateLaterEvent(object: KubeObject, causes: Causes): void {
  const event = object as KubeObject & ObjectOf<'Event'>;
  validateName(event.metadata, dns1123Subdomain, causes);
  const { series } = event;
  if (series) {
    if ((series.count ?? 0) < 2) causes.invalid('series.count', '', 'should be at least 2');
    if (!series.lastObservedTime) causes.required('series.lastObservedTime');
  }
  if (!event.eventTime) causes.required('eventTime');
  if (!types.includes(event.type)) causes.invalid('type', '', `has invalid value: ${event.type ?? ''}`);
  const { firstTimestamp, lastTimestamp, count, source } = event;
  const set = { firstTimestamp, lastTimestamp, count, source: source?.component || source?.host };
  for (const [field, value] of Object.entries(set)) if (value) causes.invalid(field, '', 'needs to be unset');
}

/** Checks who reports what: an event with a time of its own says so. `reporter` is the name of the field. */
export function validateReport(event: ObjectOf<'Event'>, causes: Causes, reporter: string): void {
  const { reportingComponent: controller = '', message = '' } = event;
  if (controller === '') causes.required(reporter);
  causes.format(reporter, controller, qualifiedName);
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    const text = event[field] ?? '';
    if (text === '') causes.required(field);
    validateLength(field, text, mostCharacters, causes);
  }
  validateLength('message', message, mostOfNote, causes);
}

/** Real servers count bytes, and say characters. */
function validateLength(field: string, text: string, most: number, causes: Causes): void {
  if (Buffer.byteLength(text) > most) causes.invalid(field, '', `can have at most ${most} characters`);
}
