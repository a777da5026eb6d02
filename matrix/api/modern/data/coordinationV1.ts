// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const coordinationV1 = {
  'coordination.v1.Lease': 'metadata 1 ObjectMeta; spec 2 coordination.v1.LeaseSpec',
  'coordination.v1.LeaseSpec':
    'holderIdentity 1 string presence; leaseDurationSeconds 2 int32 presence; acquireTime 3 microTime presence; renewTime 4 microTime presence; leaseTransitions 5 int32 presence; strategy 6 string presence; preferredHolder 7 string presence',
} as const;
