// The messages of etcd's gRPC API that the storage uses, as rows: etcd v3 has had these fields since 3.4.
import protobuf from 'protobufjs';

type Fields = Readonly<Record<string, readonly [id: number, type: string, rule?: 'repeated']>>;

const rows = {
  Header: { revision: [3, 'int64'] },
  KeyValue: { key: [1, 'bytes'], create_revision: [2, 'int64'], mod_revision: [3, 'int64'], value: [5, 'bytes'] },
  RangeRequest: {
    key: [1, 'bytes'],
    range_end: [2, 'bytes'],
    limit: [3, 'int64'],
    revision: [4, 'int64'],
    keys_only: [8, 'bool'],
    count_only: [9, 'bool'],
  },
  RangeResponse: { header: [1, 'Header'], kvs: [2, 'KeyValue', 'repeated'], more: [3, 'bool'], count: [4, 'int64'] },
  PutRequest: { key: [1, 'bytes'], value: [2, 'bytes'], lease: [3, 'int64'] },
  DeleteRangeRequest: { key: [1, 'bytes'], range_end: [2, 'bytes'] },
  Compare: { target: [2, 'int32'], key: [3, 'bytes'], mod_revision: [6, 'int64'] },
  RequestOp: {
    request_range: [1, 'RangeRequest'],
    request_put: [2, 'PutRequest'],
    request_delete_range: [3, 'DeleteRangeRequest'],
  },
  ResponseOp: { response_range: [1, 'RangeResponse'] },
  TxnRequest: {
    compare: [1, 'Compare', 'repeated'],
    success: [2, 'RequestOp', 'repeated'],
    failure: [3, 'RequestOp', 'repeated'],
  },
  TxnResponse: { header: [1, 'Header'], succeeded: [2, 'bool'], responses: [3, 'ResponseOp', 'repeated'] },
  CompactionRequest: { revision: [1, 'int64'] },
  CompactionResponse: { header: [1, 'Header'] },
  WatchCreateRequest: {
    key: [1, 'bytes'],
    range_end: [2, 'bytes'],
    start_revision: [3, 'int64'],
    fragment: [8, 'bool'],
  },
  WatchRequest: { create_request: [1, 'WatchCreateRequest'] },
  Event: { type: [1, 'int32'], kv: [2, 'KeyValue'] },
  WatchResponse: {
    header: [1, 'Header'],
    created: [3, 'bool'],
    canceled: [4, 'bool'],
    compact_revision: [5, 'int64'],
    cancel_reason: [6, 'string'],
    fragment: [7, 'bool'],
    events: [11, 'Event', 'repeated'],
  },
  LeaseGrantRequest: { TTL: [1, 'int64'] },
  LeaseGrantResponse: { header: [1, 'Header'], ID: [2, 'int64'], TTL: [3, 'int64'] },
  LeaseRevokeRequest: { ID: [1, 'int64'] },
  LeaseRevokeResponse: { header: [1, 'Header'] },
  LeaseKeepAliveRequest: { ID: [1, 'int64'] },
  LeaseKeepAliveResponse: { header: [1, 'Header'], ID: [2, 'int64'], TTL: [3, 'int64'] },
} as const satisfies Readonly<Record<string, Fields>>;

type MessageName = keyof typeof rows;

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries<Fields>(rows).map(([name, fields]) => [
      name,
      {
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, [id, type, rule]]) => [field, { id, type, ...(rule && { rule }) }]),
        ),
      },
    ]),
  ),
});

/** A 64-bit number. Ids of leases are larger than a number of JavaScript can be, so they stay as they came. */
export type Int64 = number | { toNumber(): number };

/** Returns a revision or a count as a number. */
export const numberOfInt64 = (value: Int64 | undefined): number =>
  typeof value === 'object' ? value.toNumber() : (value ?? 0);

interface Header {
  readonly revision?: Int64;
}

interface KeyValue {
  readonly key: Buffer;
  readonly mod_revision: Int64;
  readonly value: Buffer;
}

export interface RangeRequest {
  readonly key: Buffer;
  readonly range_end?: Buffer;
  readonly limit?: number;
  readonly revision?: number;
  readonly keys_only?: boolean;
  readonly count_only?: boolean;
}

export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: Int64;
}

/** What a range of the heads says: the revision of the head, 0 if there is none, and whether it is the newest write. */
export interface HeadRead {
  readonly written: number;
  readonly isNewest: boolean;
}

export const headIn = (heads: Pick<RangeResponse, 'kvs'> | undefined): HeadRead => ({
  written: numberOfInt64(heads?.kvs[0]?.mod_revision),
  isNewest: heads?.kvs[1] !== undefined,
});

/** A condition on a key. */
interface Compare {
  /** 2 is the revision of its last write. */
  readonly target: 2;
  readonly key: Buffer;
  readonly mod_revision: number;
}

/** Returns the condition that a key was last written at a revision, or is absent for revision 0. */
export const lastWrittenAt = (revision: number, key: Buffer): Compare => ({ target: 2, key, mod_revision: revision });

export type RequestOp =
  | { readonly request_range: RangeRequest }
  | { readonly request_put: { readonly key: Buffer; readonly value: Buffer; readonly lease?: Int64 } }
  | { readonly request_delete_range: { readonly key: Buffer } };

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure?: readonly RequestOp[];
}

export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly { readonly response_range?: RangeResponse }[];
}

export interface Event {
  /** 0 for a put, 1 for a removal. */
  readonly type: number;
  readonly kv: KeyValue;
}

export interface WatchResponse {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compact_revision: Int64;
  readonly cancel_reason: string;
  /** Whether the rest of these events comes in the next response. */
  readonly fragment: boolean;
  readonly events: readonly Event[];
}

export interface LeaseResponse {
  readonly ID: Int64;
  readonly TTL: Int64;
}

/** A call of etcd's API: its path, and the messages that it takes and returns. */
export interface Method<Request, Response> {
  readonly path: string;
  encode(request: Request): Uint8Array;
  decode(bytes: Buffer): Response;
}

function method<Request, Response>(
  path: string,
  request: MessageName,
  response: MessageName,
): Method<Request, Response> {
  const [sent, received] = [root.lookupType(request), root.lookupType(response)];
  return {
    path: `/etcdserverpb.${path}`,
    encode: (message) => sent.encode(message as object).finish(),
    decode: (bytes) => received.decode(bytes) as unknown as Response,
  };
}

export const methods = {
  range: method<RangeRequest, RangeResponse>('KV/Range', 'RangeRequest', 'RangeResponse'),
  txn: method<TxnRequest, TxnResponse>('KV/Txn', 'TxnRequest', 'TxnResponse'),
  compact: method<{ revision: number }, object>('KV/Compact', 'CompactionRequest', 'CompactionResponse'),
  watch: method<object, WatchResponse>('Watch/Watch', 'WatchRequest', 'WatchResponse'),
  grant: method<{ TTL: number }, LeaseResponse>('Lease/LeaseGrant', 'LeaseGrantRequest', 'LeaseGrantResponse'),
  revoke: method<{ ID: Int64 }, object>('Lease/LeaseRevoke', 'LeaseRevokeRequest', 'LeaseRevokeResponse'),
  keepAlive: method<{ ID: Int64 }, LeaseResponse>(
    'Lease/LeaseKeepAlive',
    'LeaseKeepAliveRequest',
    'LeaseKeepAliveResponse',
  ),
} as const;
