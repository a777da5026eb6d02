// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const nodeV1 = {
  'node.v1.Overhead': 'podFixed 1 {}quantity',
  'node.v1.RuntimeClass':
    'metadata 1 ObjectMeta; handler 2 string required; overhead 3 node.v1.Overhead; scheduling 4 node.v1.Scheduling',
  'node.v1.Scheduling': 'nodeSelector 1 {}string; tolerations 2 []Toleration',
} as const;
