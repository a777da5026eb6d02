// The consequences for clients if a requirement of the chapter proxy is violated.
import type { Breaks } from './types.js';

export const proxy = [
  [['pod', 'service', 'node'], 'Dashboards and tools that call the cluster through the proxy get errors.'],
  [
    ['path', 'path-query', 'path-parameter', 'path-kept'],
    'The application behind the proxy gets a request for another page.',
  ],
  [['answer', 'any-type', 'body'], 'Images, downloads and uploads through the proxy are damaged.'],
  [
    ['legacy-pod', 'legacy-service', 'legacy-node'],
    'Older dashboards and scripts, with these paths built in, get 404.',
  ],
  [['query'], 'Searches and filters of the application behind the proxy have no effect.'],
  [['headers'], 'Cookies and content types are lost, so logins to the application fail.'],
  [['hop-by-hop'], 'The other side waits for a protocol that the client does not speak.'],
  [['credentials'], 'An application in the cluster gets the token of an administrator and can act with it.'],
  [['status'], 'A client takes an error of the application for a success.'],
  [['streaming'], 'A live log or a progress bar behind the proxy shows nothing until the end.'],
  [['upgrade'], 'WebSockets of the application behind the proxy do not connect.'],
  [['redirect'], 'The server fetches an address that the application has chosen, inside its own network.'],
  [
    ['service-port-name', 'service-port-number', 'service-scheme', 'service-malformed'],
    'A request reaches the wrong port of a Service, or none.',
  ],
  [['pod-port'], 'A request reaches the wrong process of a Pod.'],
  [['no-endpoints'], 'A client takes a Service without Pods for one that does not exist, and does not wait for it.'],
  [['absent', 'dead'], 'A client hangs on an application that is gone.'],
  [['own-addresses'], 'A user who can create Pods reaches internal ports of the control plane.'],
] as const satisfies Breaks;
