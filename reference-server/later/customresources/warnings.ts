// What a server says about a definition that it takes: the rules in its schemas that the server does not evaluate.
import type { KubeObject } from '../../schema/object.js';
import { type DefinitionVersion, definitionSpecOf } from './definition.js';
import { nodesBelow, type StructuralSchema } from './structuralSchema.js';

export function definitionWarnings(definition: KubeObject): readonly string[] {
  return definitionSpecOf(definition).versions.flatMap((version, index) => warningsOf(version, index));
}

function warningsOf({ schema }: DefinitionVersion, index: number): readonly string[] {
  const root = schema?.openAPIV3Schema;
  if (root === undefined) return [];
  const field = `spec.versions[${index}].schema.openAPIV3Schema`;
  let count = 0;
  let first = '';
  const left: (readonly [StructuralSchema, string])[] = [[root, field]];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const [node, path] = at;
    const rules = node['x-kubernetes-validations']?.length ?? 0;
    if (rules > 0 && count === 0) first = path;
    count += rules;
    for (const [step, inner] of nodesBelow(node)) left.push([inner, `${path}.${step}`]);
  }
  if (count === 0) return [];
  const rules = count === 1 ? 'the rule' : `the ${count} rules`;
  return [`${first}.x-kubernetes-validations: this server does not evaluate ${rules} in this schema`];
}
