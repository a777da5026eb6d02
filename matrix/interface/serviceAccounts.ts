// Section 20 of the interface: service accounts.
import type { Section } from './types.js';

export const serviceAccounts = {
  number: 20,
  title: 'Service accounts',
  introduction: 'A service account is a user that is an object. Processes in Pods use it.',
  rules: [
    {
      number: '20.1',
      title: 'Service accounts and their namespaces',
      text:
        'A service account belongs to a namespace. A client must be able to create one, and the server must create ' +
        'one in every new namespace. That one should be named `default`. Each service account has credentials that ' +
        'are stored as Secrets and mounted into Pods.',
      why: 'A Pod that names no account still needs one to call the server.',
      sources: ['What the service does/4 service accounts'],
    },
    {
      number: '20.2',
      title: 'The Secret of a service account',
      text:
        "A new service account must get a Secret with the certificate of the server's authority and a signed token. " +
        'The Secret should also hold the name of its namespace. A Secret of that type that a client creates, with ' +
        'the annotation `kubernetes.io/service-account.name`, should get a token of the account; without a valid ' +
        'account it should be refused.',
      why: 'Controllers outside the cluster read the token from this Secret.',
      sources: ['Other rules/1'],
    },
    {
      number: '20.3',
      title: 'The Secret is the credential',
      text:
        'A user who can read the Secret can act as the service account. A token that another user reads from it must ' +
        'be accepted as the service account.',
      why: 'Administrators must know that read access to Secrets is access to accounts.',
      sources: ['Other rules/2'],
    },
    {
      number: '20.4',
      title: 'The token in a Pod',
      text:
        'The containers of a Pod must mount a token of its service account, and a process that reads the token ' +
        'there must be accepted. In Kubernetes the path is `/var/run/secrets/kubernetes.io/serviceaccount`, with ' +
        'the files `token`, `ca.crt` and `namespace`. A container that mounts something else at that path should ' +
        'keep its own mount.',
      why: 'Client libraries look for their credentials at this path, without any configuration.',
      sources: [],
    },
  ],
} as const satisfies Section;
