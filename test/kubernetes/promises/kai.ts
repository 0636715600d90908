import type { KubeObject } from '../harness/client';
import { QUEUE } from './resources';
import type { Site } from './site';

const NAME = 'leaderworkerset.sigs.k8s.io/name';
const TOPOLOGY = 'kai.scheduler/topology';

/** What KAI would read of a cluster. */
export interface KaiCheck {
  readonly pods: number;

  /** Groups of gangs that have to stay within a domain. */
  readonly confined: number;
  readonly wrong: readonly string[];
}

/** What KAI would not find in the objects of a settled cluster, from these as the API server has them. */
export async function checkKai(site: Site): Promise<KaiCheck> {
  const pods = site.podsHere();
  const gangs = await site.stored('LeaderWorkerSet');
  const workloads = [...(await site.stored('Deployment')), ...gangs];
  const topologies = await site.stored('Topology');
  const confined = gangs.filter((gang) => annotationsOf(gang)[TOPOLOGY] !== undefined);
  return {
    pods: pods.length,
    confined: confined.reduce((sum, { spec }) => sum + Number(spec?.['replicas']), 0),
    wrong: [
      ...workloads
        .filter(({ metadata }) => metadata.labels?.['kai.scheduler/queue'] !== QUEUE)
        .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name} is in no queue`),
      ...pods
        .filter(({ spec }) => spec?.['schedulerName'] !== 'kai-scheduler')
        .map(({ metadata }) => `KAI does not see ${metadata.namespace}/${metadata.name}`),
      ...confined.flatMap((gang) => wrongLevels(site, gang, topologies)),
      ...confined.flatMap((gang) => wrongDomains(site, gang)),
    ],
  };
}

function annotationsOf({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return (metadata as { annotations?: Record<string, string> }).annotations ?? {};
}

/** The levels that an annotated gang names, and that its Topology lacks. */
function wrongLevels(site: Site, gang: KubeObject, topologies: readonly KubeObject[]): string[] {
  const annotations = annotationsOf(gang);
  const name = site.namespace(annotations[TOPOLOGY] ?? '');
  const topology = topologies.find(({ metadata }) => metadata.name === name);
  const levels = ((topology?.spec?.['levels'] ?? []) as { nodeLabel: string }[]).map(({ nodeLabel }) => nodeLabel);
  return ['required', 'preferred'].flatMap((strength) => {
    const level = annotations[`${TOPOLOGY}-${strength}-placement`];
    if (level !== undefined && levels.includes(level)) return [];
    return [`${gang.metadata.name} has ${level ?? 'no level'} as ${strength}, and ${name} has ${levels.join()}`];
  });
}

/** Groups that run on nodes of several domains, or on nodes without the label. */
function wrongDomains(site: Site, gang: KubeObject): string[] {
  const level = annotationsOf(gang)[`${TOPOLOGY}-required-placement`] ?? '';
  const nodes = new Map(site.nodeObjects('Node').map(({ metadata }) => [metadata.name, metadata.labels?.[level]]));
  const own = site
    .podsHere()
    .filter(
      ({ metadata }) =>
        metadata.namespace === gang.metadata.namespace && metadata.labels?.[NAME] === gang.metadata.name,
    );
  const domains = new Set(own.map(({ spec }) => nodes.get(String(spec?.['nodeName']))));
  if (own.length > 0 && domains.size === 1 && !domains.has(undefined)) return [];
  return [`${gang.metadata.name} is in the domains ${[...domains].join() || 'none'} of ${level}`];
}
