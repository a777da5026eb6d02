// A few requirements and cases that the verdict tests share.
import { requirement, sampleCase } from './sample.js';

export const rule = requirement('create.answer');
export const other = requirement('read.answer');
export const recommendedRule = requirement('errors.reason', 'recommended');
export const pods = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/pods');
export const services = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/services');
export const jobs = sampleCase(rule, 'POST /apis/batch/v1/namespaces/{namespace}/jobs');
export const ingresses = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/ingresses');
export const deployments = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/deployments');
export const daemonsets = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/daemonsets');
export const replicasets = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/replicasets');
export const readPods = sampleCase(other, 'GET /api/v1/namespaces/{namespace}/pods/{name}');
export const podsByPassword = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/pods, staticPassword', {
  mechanism: 'staticPassword',
});
export const userByPassword = sampleCase(rule, 'staticPassword, plain', { mechanism: 'staticPassword' });
export const recommendedCase = sampleCase(recommendedRule, 'server');
export const ofRule = { requirement: rule.id, reason: 'it is old' };
export const withoutExport = { message: 'export (until 1.20; it says so)' };
export const lost = { message: 'no such kind' };
