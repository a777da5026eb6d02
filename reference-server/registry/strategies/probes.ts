// Probes and lifecycle hooks: one action each, and no negative numbers.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { portName } from '../../schema/formats.js';

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

/** Checks a probe, if there is one. */
export function validateProbe(field: string, probe: ObjectOf<'Probe'> | undefined, causes: Causes): void {
  if (probe === undefined) return;
  validateHandler(field, probe, causes);
  for (const name of numbers) causes.notNegative(`${field}.${name}`, probe[name]);
}

/** Checks that a probe or a hook has exactly one valid action. */
export function validateHandler(
  field: string,
  { exec, httpGet, tcpSocket, grpc, sleep }: ObjectOf<'ProbeHandler'> & ObjectOf<'LifecycleHandler'>,
  causes: Causes,
): void {
  let actions = 0;
  const first = (action: string): boolean => {
    if (++actions === 1) return true;
    causes.forbidden(`${field}.${action}`, 'may not specify more than 1 handler type');
    return false;
  };
  if (exec && first('exec') && (exec.command ?? []).length === 0) causes.required(`${field}.exec.command`);
  if (httpGet && first('httpGet')) {
    if (!httpGet.path) causes.required(`${field}.httpGet.path`);
    validatePort(`${field}.httpGet.port`, httpGet.port, causes);
    causes.oneOf(`${field}.httpGet.scheme`, httpGet.scheme, ['HTTP', 'HTTPS']);
  }
  if (tcpSocket && first('tcpSocket')) validatePort(`${field}.tcpSocket.port`, tcpSocket.port, causes);
  if (grpc && first('grpc')) causes.port(`${field}.grpc.port`, grpc.port);
  if (sleep && first('sleep')) causes.notNegative(`${field}.sleep.seconds`, sleep.seconds);
  if (actions === 0) causes.required(field, 'must specify a handler type');
}

/** Checks a port given by number or by name. */
export function validatePort(field: string, port: number | string | undefined, causes: Causes): void {
  if (typeof port === 'string') causes.format(field, port, portName);
  else causes.port(field, port);
}
