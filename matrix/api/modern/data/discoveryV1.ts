// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const discoveryV1 = {
  'discovery.v1.Endpoint':
    'addresses 1 []string required; conditions 2 discovery.v1.EndpointConditions; hostname 3 string presence; targetRef 4 ObjectReference; deprecatedTopology 5 {}string; nodeName 6 string presence; zone 7 string presence; hints 8 discovery.v1.EndpointHints',
  'discovery.v1.EndpointConditions':
    'ready 1 boolean presence; serving 2 boolean presence; terminating 3 boolean presence',
  'discovery.v1.EndpointHints': 'forZones 1 []discovery.v1.ForZone; forNodes 2 []discovery.v1.ForNode',
  'discovery.v1.EndpointPort':
    'name 1 string presence; protocol 2 string presence; port 3 int32 presence; appProtocol 4 string presence',
  'discovery.v1.EndpointSlice':
    'metadata 1 ObjectMeta; addressType 4 string required; endpoints 2 []discovery.v1.Endpoint; ports 3 []discovery.v1.EndpointPort',
  'discovery.v1.ForNode': 'name 1 string required',
  'discovery.v1.ForZone': 'name 1 string required',
} as const;
