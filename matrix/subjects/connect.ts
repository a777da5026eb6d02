// The subject sets of the connect chapter: exec, attach and port-forward by each method, over each transport.
import type { Operation } from '../api/index.js';
import { type OperationSubject, perOperation, type Subject, withVerbs } from './build.js';

const spdy = 'SPDY/3.1';
const binary = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const base64 = 'v4.base64.channel.k8s.io';

const connects = withVerbs('exec', 'attach', 'portforward');
const running = (subjects: readonly OperationSubject[]): OperationSubject[] =>
  subjects.map((subject) => ({ ...subject, node: 'running' }));

/** A WebSocket begins with GET; port-forwards have no version 5. */
const transportsOf = ({ method, verb }: Operation): readonly string[] => {
  if (method !== 'GET') return [spdy];
  return [spdy, ...(verb === 'portforward' ? binary.slice(1) : binary), base64];
};

const perTransport = (of: readonly Operation[], wanted = [spdy, ...binary, base64]): OperationSubject[] =>
  running(
    perOperation(of).flatMap((subject) =>
      transportsOf(subject.operation)
        .filter((transport) => wanted.includes(transport))
        .map((transport) => ({ ...subject, id: `${subject.id}, ${transport}`, variant: transport })),
    ),
  );

/** Returns each method over its usual transport. */
const perMethod = (of: readonly Operation[]): OperationSubject[] =>
  perTransport(of).filter(({ operation, variant }) => variant === (operation.method === 'GET' ? binary[1] : spdy));

export const connectSets = {
  connections: perTransport(connects),
  socketConnections: perTransport(connects, binary),
  base64Connections: perTransport(connects, [base64]),
  spdyConnections: perTransport(connects, [spdy]),
  typedConnections: perMethod(connects),
  execs: perTransport(withVerbs('exec')),
  execCalls: perMethod(withVerbs('exec')),
  resizedExecs: perTransport(withVerbs('exec')),
  endedInputs: perTransport(withVerbs('exec'), [spdy, 'v5.channel.k8s.io']),
  largeExecs: perMethod(withVerbs('exec')),
  refusedExecs: perMethod(withVerbs('exec')),
  attaches: perTransport(withVerbs('attach')),
  attachCalls: perMethod(withVerbs('attach')),
  portForwards: perTransport(withVerbs('portforward')),
  portForwardCalls: perMethod(withVerbs('portforward')),
  largePortForwards: perMethod(withVerbs('portforward')),
  observedConnects: perMethod(connects).map((subject) => ({ ...subject, node: 'observed' as const })),
  plainConnects: running(perOperation(connects)),
  strayConnects: perOperation(connects),
} as const satisfies Record<string, readonly Subject[]>;
