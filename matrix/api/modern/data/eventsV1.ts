// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const eventsV1 = {
  'events.v1.Event':
    'metadata 1 ObjectMeta; eventTime 2 microTime required; series 3 events.v1.EventSeries; reportingController 4 string; reportingInstance 5 string; action 6 string; reason 7 string; regarding 8 ObjectReference; related 9 ObjectReference; note 10 string; type 11 string; deprecatedSource 12 EventSource; deprecatedFirstTimestamp 13 time; deprecatedLastTimestamp 14 time; deprecatedCount 15 int32',
  'events.v1.EventSeries': 'count 1 int32 required; lastObservedTime 2 microTime required',
} as const;
