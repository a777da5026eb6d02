// Query parameters and the sets in which the document lists them (Endpoints/Parameters).

/** A query parameter: the declared type, and the default that the document states. */
export interface Parameter {
  readonly type: 'string' | 'boolean' | 'int32';
  readonly default?: boolean;
}

const text: Parameter = { type: 'string' };
const flag: Parameter = { type: 'boolean' };
const off: Parameter = { type: 'boolean', default: false };
const on: Parameter = { type: 'boolean', default: true };
const count: Parameter = { type: 'int32' };

const streams = { stdin: off, stdout: on, stderr: on, tty: off, container: text };

/** The parameter sets, by the document's own names if it has one (LW, RD, PR). */
export const parameterSets = {
  LW: {
    pretty: text,
    labelSelector: text,
    fieldSelector: text,
    watch: flag,
    resourceVersion: text,
    timeoutSeconds: count,
  },
  RD: { pretty: text, export: flag, exact: flag },
  PR: { pretty: text },
  attach: streams,
  exec: { ...streams, command: text },
  log: {
    pretty: text,
    container: text,
    follow: off,
    previous: off,
    sinceSeconds: count,
    sinceTime: text,
    timestamps: off,
    tailLines: count,
    limitBytes: count,
  },
  path: { path: text },
  none: {},
} as const satisfies Record<string, Record<string, Parameter>>;

export type ParameterSet = keyof typeof parameterSets;

/** Parameters that the document omits and that later clients send, by the operations that accept them. */
export const laterParameters = {
  lists: {
    limit: count,
    continue: text,
    resourceVersionMatch: text,
    allowWatchBookmarks: flag,
    sendInitialEvents: flag,
  },
  writes: { dryRun: text, fieldManager: text, fieldValidation: text },
  patches: { dryRun: text, fieldManager: text, fieldValidation: text, force: flag },
  deletes: { dryRun: text, gracePeriodSeconds: count, orphanDependents: flag, propagationPolicy: text },
} as const satisfies Record<string, Record<string, Parameter>>;
