import { requirementsOf } from '../api/label-match';
import type { Demand, Engine, Workload } from '../scheduler/model';
import type { PodShape } from '../scheduler/shapes';
import type { DemandData, EngineData, MemberData, RequestData, TextRef } from './map-data';

type Text = (text: string) => TextRef;

/** What the replicas of a deployment ask for, and which of the clusters that have it are taken first. */
export function demandData({ demand, placement }: Workload, text: Text): DemandData {
  return {
    policy: placement.policy,
    engines: demand.engines.map((engine) => engineData(engine, text)),
    where: [...clustersFor(demand), ...spreadOf(placement)].map(text),
  };
}

function engineData({ name, members }: Engine, text: Text): EngineData {
  return {
    name,
    members: members.map(({ role, pods, surge, pod }): MemberData => {
      return { role, pods, surge, requests: requestData(pod, text) };
    }),
  };
}

/** Every form of a request that has several is one of its own. */
function requestData({ requests }: PodShape, text: Text): RequestData[] {
  return requests.flatMap(({ name, alternatives }) =>
    alternatives.map((form) => ({
      name: form.name === undefined ? name : `${name}, as ${form.name}`,
      count: form.count,
      selectors: form.selectors.map(({ expression }) => text(expression)),
    })),
  );
}

function clustersFor({ selector, caches }: Demand): string[] {
  return [
    ...requirementsOf(selector).map((requirement) => `clusters with ${requirement}`),
    ...caches.map(({ name, staged }) => `clusters that ${staged ? 'can stage' : 'have'} cache ${name}`),
  ];
}

function spreadOf({ domainKey, minDomains, maxPerDomain, maxPerCluster }: Workload['placement']): string[] {
  return [
    ...(domainKey === undefined ? [] : [`spread over ${domainKey}`]),
    ...(minDomains === undefined ? [] : [`in at least ${minDomains} domains`]),
    ...(maxPerDomain === undefined ? [] : [`at most ${maxPerDomain} in a domain`]),
    ...(maxPerCluster === undefined ? [] : [`at most ${maxPerCluster} on a cluster`]),
  ];
}
