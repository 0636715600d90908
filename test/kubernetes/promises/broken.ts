import { formatRejectionReason } from '../../../src/plan/rejection-messages';
import type { Pool } from '../../../src/scheduler/compiled-fleet';
import { footprintKeyOf } from '../../../src/scheduler/packing/pod-footprint';
import { countNodesWorstCase } from '../../../src/scheduler/packing/worst-case';
import type { Planned } from './plan';
import type { Replay } from './replay';

/** Everything that a person needs to look into a broken promise. What is broken comes last, where it is seen. */
export function describeBroken({ seed, spec, planned, pending, wrong }: Replay): string {
  return [
    `fleet ${seed} (npm run test:kubernetes -- promises --seed ${seed} --fleets 1): a promise is broken`,
    `  the fleet: ${JSON.stringify(spec)}`,
    `  the plan: ${reasoning(planned).join('\n            ')}`,
    ...pending.map(
      ({ promised: { cluster, pool, labels, pods }, missing, message }) =>
        `  ${missing} of ${pods} pods ${Object.values(labels).join(' ')} are not running in ${cluster}/${pool}\n` +
        `    the scheduler: ${message}`,
    ),
    ...wrong.map((line) => `  ${line}`),
  ].join('\n');
}

/** What the plan reckoned with, by pool, and why it placed no more. */
function reasoning({ model, schedule, matcher }: Planned): string[] {
  const pools = model.clusters.flatMap(({ pools }) => pools);
  const lines = pools.map((pool) => {
    const loads = loadsOn(pool, { model, schedule, matcher });
    const nodes = countNodesWorstCase(pool.node.counts, loads);
    const listed = loads.map(({ footprint, pods }) => `${pods} x ${footprintKeyOf(footprint)}`).join(', ') || 'nothing';
    return `${pool.cluster}/${pool.name} has ${pool.nodes} nodes of ${pool.node.counts.join(',')}, promises ${listed}, needs ${nodes}`;
  });
  const refused = schedule.shortfalls.flatMap(({ deployment, missing, rejections }) =>
    rejections.slice(0, 3).map(({ cluster, pool = '', reason }) => {
      return `${deployment} lacks ${missing}: ${cluster}/${pool} ${reason.filter}: ${formatRejectionReason({ reason })}`;
    }),
  );
  return [...lines, ...refused];
}

function loadsOn(pool: Pool, { model, schedule, matcher }: Pick<Planned, 'model' | 'schedule' | 'matcher'>) {
  return schedule.placements.flatMap(({ deployment, cluster, pools }) => {
    const engines = model.deployments.find(({ id }) => id === deployment)?.demand.engines ?? [];
    return engines
      .filter(({ name }) => cluster === pool.cluster && pools[name] === pool.name)
      .flatMap(({ members }) =>
        members.flatMap(({ pod, pods }) => {
          const fit = pod && matcher.fit(pod, pool.node);
          return fit && !('misfit' in fit) ? [{ footprint: fit.footprint, pods }] : [];
        }),
      );
  });
}
