// The rules of the names of a definition, of those that are asked for and of those that it has.
import type { Causes } from '../../schema/causes.js';
import { dns1035Label } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import { type DefinitionNames, definitionStatusOf } from './definition.js';

/** Checks the names that a definition has. */
export function checkAcceptedNames(definition: KubeObject, causes: Causes): void {
  const { acceptedNames } = definitionStatusOf(definition);
  if (acceptedNames !== undefined) checkNames(acceptedNames, 'status.acceptedNames', causes);
}

/** Checks the names that are given. */
export function checkNames(names: DefinitionNames, field: string, causes: Causes): void {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  causes.format(`${field}.plural`, plural || undefined, dns1035Label);
  causes.format(`${field}.singular`, singular || undefined, dns1035Label);
  checkKind(`${field}.kind`, kind, causes);
  checkKind(`${field}.listKind`, listKind, causes);
  for (const [index, name] of shortNames.entries()) {
    causes.format(`${field}.shortNames[${index}]`, name, dns1035Label);
  }
  if (kind && kind === listKind) causes.invalid(`${field}.listKind`, listKind, 'kind and listKind may not be the same');
  for (const [index, name] of categories.entries()) {
    causes.format(`${field}.categories[${index}]`, name, dns1035Label);
  }
}

function checkKind(field: string, kind: string | undefined, causes: Causes): void {
  for (const problem of kind ? dns1035Label(kind.toLowerCase()) : []) {
    causes.invalid(field, kind, `may have mixed case, but should otherwise match: ${problem}`);
  }
}
