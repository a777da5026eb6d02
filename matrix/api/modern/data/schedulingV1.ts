// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const schedulingV1 = {
  'scheduling.v1.PriorityClass':
    'metadata 1 ObjectMeta; value 2 int32 presence; globalDefault 3 boolean; description 4 string; preemptionPolicy 5 string presence',
} as const;
