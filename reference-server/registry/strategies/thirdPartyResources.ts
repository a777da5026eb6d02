// ThirdPartyResources: the name consists of a kind and a domain.
import { dns1123Label, dns1123Subdomain } from '../../schema/formats.js';
import type { Strategy } from '../strategy.js';

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
