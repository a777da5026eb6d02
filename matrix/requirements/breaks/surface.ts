// The consequences for clients if a requirement of the chapter surface is violated.
import type { Breaks } from './types.js';

export const surface = [
  [
    ['served'],
    'A client that calls this operation fails with an error that it cannot handle, and a tool built on it does not work at all.',
  ],
  [
    ['cluster-scope'],
    'A client that puts a cluster-scoped object into a namespace seems to succeed, and looks for the object in the wrong place later.',
  ],
  [
    ['no-user-object', 'no-user-create'],
    'An administrator who creates a user through the API believes that the user exists, and the user cannot log in.',
  ],
  [
    ['bindings-created-only'],
    'A scheduler that lists Bindings gets an empty or wrong picture of which Pods are assigned.',
  ],
  [['event-is-ordinary'], '`kubectl describe` shows no events, and monitoring that reads Events stays silent.'],
  [['component-condition'], '`kubectl get componentstatuses` shows no health, and an alert on it never fires.'],
  [['component-absent'], 'A monitoring script with a wrong component name reports that the component is healthy.'],
  [['third-party-stored'], 'An operator that installs its kind finds it without versions and does not start.'],
  [
    ['third-party-name'],
    'A ThirdPartyResource with a useless name is stored, and the kind that it describes never appears.',
  ],
] as const satisfies Breaks;
