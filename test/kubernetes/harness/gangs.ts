import type { Doc, KubeObject } from './client';

/** What a test needs to know of a gang that it runs without the controller of LeaderWorkerSets. */
interface Gang {
  readonly replicas: number;
  readonly leaderWorkerTemplate: {
    readonly size: number;
    readonly leaderTemplate: Template;
    readonly workerTemplate: Template;
  };
}

interface Template {
  readonly metadata: Doc & { readonly labels: Readonly<Record<string, string>> };
  readonly spec: Doc & { readonly containers: readonly (Doc & { readonly env?: readonly Doc[] })[] };
}

const LABEL = 'leaderworkerset.sigs.k8s.io/';

/**
 * A LeaderWorkerSet as what its controller makes of it, which cannot be built here: a StatefulSet of the leaders and
 * one of the workers of each group, with the controller's names, labels and variables. Other objects stay.
 */
export function expandGang(object: KubeObject): KubeObject[] {
  if (object.kind !== 'LeaderWorkerSet') return [object];
  const { replicas, leaderWorkerTemplate } = object.spec as unknown as Gang;
  const { size, leaderTemplate, workerTemplate } = leaderWorkerTemplate;
  const { name } = object.metadata;
  const leaders = { [`${LABEL}name`]: name, [`${LABEL}worker-index`]: '0' };
  const groups = Array.from({ length: replicas }, (_, group) => group);
  return [
    statefulSet(object, name, { replicas, labels: leaders, template: leaderTemplate, size }),
    ...groups.map((group) => {
      const labels = { [`${LABEL}name`]: name, [`${LABEL}group-index`]: String(group) };
      return statefulSet(object, `${name}-${group}`, {
        replicas: size - 1,
        labels,
        template: workerTemplate,
        size,
        leader: `${name}-${group}`,
      });
    }),
  ];
}

/** A pod template of a LeaderWorkerSet as a StatefulSet, for the API server to look into it. */
export function templatesAsSets(object: KubeObject): KubeObject[] {
  return expandGang(object).filter((expanded) => expanded !== object);
}

interface Set {
  readonly replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly template: Template;
  readonly size: number;
  readonly leader?: string;
}

function statefulSet(
  { metadata }: KubeObject,
  name: string,
  { replicas, labels, template, size, leader }: Set,
): KubeObject {
  const index = "metadata.labels['apps.kubernetes.io/pod-index']";
  const address = leader ?? '$(POD_NAME)';
  const variables: Doc[] = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'LWS_LEADER_ADDRESS', value: `${address}.${metadata.name}.${metadata.namespace}` },
    { name: 'LWS_GROUP_SIZE', value: String(size) },
    leader
      ? { name: 'LWS_WORKER_INDEX', valueFrom: { fieldRef: { fieldPath: index } } }
      : { name: 'LWS_WORKER_INDEX', value: '0' },
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) },
    spec: {
      replicas,
      serviceName: metadata.name,
      podManagementPolicy: 'Parallel',
      ...(leader !== undefined && { ordinals: { start: 1 } }),
      selector: { matchLabels: labels },
      template: {
        metadata: { ...template.metadata, labels: { ...template.metadata.labels, ...labels } },
        spec: {
          ...template.spec,
          containers: template.spec.containers.map((container) => ({
            ...container,
            env: [...variables, ...(container.env ?? [])],
          })),
        },
      },
    },
  };
}
