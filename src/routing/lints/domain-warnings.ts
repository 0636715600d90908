import type { Fault } from '../../api/checks/fault';
import { labelsOf } from '../../api/cluster-labels';
import { domainLabel } from '../../api/domains';
import type { EdgeTarget } from '../select';
import type { Scene } from './scene';

/** Services whose replicas are in fewer failure domains than they ask for. */
export function* spansDomains({ fleet, selections }: Scene): Iterable<Fault> {
  for (const { service, rules } of selections) {
    const min = service.spec.failureDomains?.min ?? 0;
    const targets = rules.flatMap((rule) => rule.targets);
    const edges = targets.filter(
      (target): target is EdgeTarget => target.kind === 'Edge' && target.tier === 0,
    );
    const domains = new Set(edges.map((target) => domainOf(target, fleet.settings)));
    if (edges.length === 0 || domains.size >= min) continue;
    const names = [...domains].sort().join(', ');
    yield {
      code: 'few-failure-domains',
      resource: service,
      path: ['spec', 'failureDomains', 'min'],
      what: `its replicas are in ${names} alone, and it asks for ${min} failure domains`,
      hint: 'Set placement.spreadBy and placement.minDomains of its deployments',
    };
  }
}

/** The domain that the deployment is spread by, or the region; a cluster that has none is one of its own. */
function domainOf({ deployment, cluster }: EdgeTarget, settings: Scene['fleet']['settings']): string {
  const { spreadBy = 'region' } = deployment.spec.placement;
  return labelsOf(cluster)[domainLabel(spreadBy, settings)] ?? cluster.metadata.name;
}
