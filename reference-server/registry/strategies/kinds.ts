// Kinds with a rule or two each: events, nodes, third-party resources.

import { typeOf } from '../../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { decodeValue } from '../../schema/decode.js';
import { dns1123Label, dns1123Subdomain, pathSegment } from '../../schema/formats.js';
import { part } from '../../schema/object.js';
import { doAll } from '../../turns.js';
import type { Strategy } from '../strategy.js';

export const events: Strategy = {
  name: pathSegment,
  createOnReplace: true,
  validate(event, causes) {
    const { namespace = '' } = part<ObjectOf<'ObjectReference'>>(event, 'involvedObject');
    const { namespace: own = '' } = event.metadata;
    // Events about objects without a namespace are in `default`. One that has a time of its own may be elsewhere.
    const isNew = Boolean((event as ObjectOf<'Event'>).eventTime);
    const isInPlace = isNew ? namespace !== '' || own === 'kube-system' : namespace === own;
    if (isInPlace || (namespace === '' && own === 'default')) return;
    causes.invalid('involvedObject.namespace', namespace, 'does not match event.namespace');
  },
};

export const nodes: Strategy = {
  initialStatus: 'given',
  defaults(object) {
    const spec = part<ObjectOf<'NodeSpec'>>(object, 'spec');
    if (!spec.externalID) object.spec = { ...spec, externalID: object.metadata.name };
    // An absent status becomes an empty NodeStatus.
    object.status ??= doAll(decodeValue(typeOf('NodeStatus'), {}));
  },
};

export const thirdPartyResources: Strategy = {
  name: (name) =>
    name.split('.').length < 3
      ? ['must be at least three segments long: <kind>.<domain>.<tld>']
      : dns1123Subdomain(name),
  validate(resource, causes) {
    const versions = (resource.versions ?? []) as readonly { readonly name?: string }[];
    const names = new Set<string>();
    versions.forEach(({ name }, index) => {
      const field = `versions[${index}].name`;
      if (!name) causes.invalid(field, name ?? '', 'must not be empty');
      else {
        causes.format(field, name, dns1123Label);
        if (names.has(name)) causes.duplicate(field, name);
        names.add(name);
      }
    });
  },
};
