import type { FieldChange } from './field-changes';

/**
 * Fields that an API server or the webhook of a controller refuses to change, by kind, as far as our objects have
 * them. Sources: apps/v1 validation, resource.k8s.io strategy, core validation of Services and volumes, batch
 * validation of Jobs, the webhook of LeaderWorkerSet.
 */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec.selector'],
  Job: ['spec.template', 'spec.selector', 'spec.completions', 'spec.completionMode', 'spec.podFailurePolicy'],
  LeaderWorkerSet: ['spec.networkConfig', 'spec.leaderWorkerTemplate.subGroupPolicy'],
  PersistentVolumeClaim: [
    'spec.accessModes',
    'spec.storageClassName',
    'spec.volumeMode',
    'spec.volumeName',
    'spec.selector',
  ],
  ResourceClaimTemplate: ['spec'],
  Service: ['spec.clusterIP', 'spec.type'],
};

/** Whether an object has to be replaced for fields of it to change. */
export function replaces(kind: string, fields: readonly FieldChange[]): boolean {
  const immutable = (IMMUTABLE[kind] ?? []).map((field) => field.split('.'));
  return fields.some(({ path }) => immutable.some((parts) => parts.every((part, i) => path[i] === part)));
}
