import type { Fault } from '../../api/checks/fault';
import { resourceId } from '../../api/kinds';
import { servedNames } from '../models';
import type { EdgeTarget } from '../select';
import type { Scene } from './scene';

/** Engines that do not answer to the model that requests to a service name. */
export function* enginesServeName({ selections }: Scene): Iterable<Fault> {
  for (const { service, rules } of selections) {
    const targets = rules.flatMap((rule) => rule.targets);
    const edges = targets.filter((target): target is EdgeTarget => target.kind === 'Edge');
    const deployments = [...new Set(edges.map(({ deployment }) => deployment))];
    const known = deployments.flatMap((deployment) => {
      const { model } = servedNames(deployment);
      return model === undefined ? [] : [{ deployment, model }];
    });
    const asked = service.spec.servedModelName ?? known[0]?.model;
    const other = known.find(({ model }) => model !== asked);
    if (asked === undefined || !other) continue;
    yield {
      code: 'other-model-name',
      resource: service,
      path: service.spec.servedModelName === undefined ? ['spec', 'endpoints'] : ['spec', 'servedModelName'],
      what: `${resourceId(other.deployment)} answers to '${other.model}', and requests for '${asked}' reach it too`,
      hint: `Tell its engine that it is called '${asked}'`,
    };
  }
}
