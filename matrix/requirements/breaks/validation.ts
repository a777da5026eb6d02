// The consequences for clients if a requirement of the chapter validation is violated.
import type { Breaks } from './types.js';

export const validation = [
  [
    ['deployment-replicas', 'deployment-template', 'deployment-containers'],
    'A Deployment starts other Pods, or another number of them, than its author wrote.',
  ],
  [['deployment-replicas-type'], 'A Deployment with `replicas: "3"` is stored, and its controller crashes on it.'],
  [['secret-data'], 'A key or certificate differs by one byte, and TLS fails at run time.'],
  [['secret-not-base64'], 'A password that was not encoded is stored as garbage, and logins fail.'],
  [['secret-string-data'], 'A Secret written in plain text has no data, or shows the plain text to every reader.'],
  [['invalid', 'invalid-update'], 'A broken manifest is accepted and fails later, in a Pod that does not start.'],
  [['invalid-causes'], 'A user is told that the object is invalid, and not which field to correct.'],
  [['invalid-changes-nothing'], 'A refused manifest has changed the object all the same.'],
  [['wrong-type'], 'A value of a wrong type is stored, and typed clients cannot decode the object any more.'],
  [
    ['unknown-field'],
    'A manifest of a newer version cannot be applied, or its unknown fields come back to strict clients.',
  ],
  [['names'], 'A Service or Pod gets a name that DNS does not accept, and no client can reach it.'],
  [['labels'], 'A label is stored that no selector can name.'],
  [['required'], 'An object without a required field is stored, and its controller crashes on it.'],
  [['immutable'], 'A field that nodes have already acted on changes, and the object no longer says what runs.'],
  [['creation-time'], 'A user can make an object look older or newer, and cleanup by age deletes the wrong ones.'],
  [['pod-update'], 'A change of a running Pod is stored and never takes effect.'],
  [['duplicates'], 'Two entries with one key hide each other, and which one counts depends on the client.'],
  [['selector-template'], 'A Deployment creates Pods for ever, because its own selector does not find them.'],
  [['job-restart-policy'], 'A Job restarts its container for ever and never finishes.'],
  [['quantities'], 'A request of `500m` is stored as another amount, and the scheduler places Pods wrongly.'],
  [['hostile'], 'One quantity with a huge exponent stops the server.'],
  [
    ['probes', 'volumes', 'ingress-backend'],
    'The mistake is accepted at the create and makes a Pod or an Ingress fail later, where its cause is hard to find.',
  ],
  [['event-namespace'], 'Events appear in a namespace that has nothing to do with their object.'],
  [
    ['third-party-name'],
    'A ThirdPartyResource with a useless name is stored, and the kind that it describes never appears.',
  ],
  [['defaults'], 'A client that reads a field that the user left out gets nothing, and must know the defaults itself.'],
  [['generation'], 'A controller cannot tell whether it has already handled the current spec.'],
  [['replace-creates'], 'Leader election and endpoint controllers, which write with PUT, cannot create their object.'],
  [['service-ports'], 'A Service is stored whose port cannot exist.'],
  [['cluster-ip', 'cluster-ip-taken'], 'Two Services get one address, and requests reach the wrong one.'],
  [['cluster-ip-freed'], 'The range of addresses runs out, although most Services are gone.'],
  [['node-port', 'node-port-taken'], 'Two Services listen on one port of every node, and one of them is unreachable.'],
] as const satisfies Breaks;
