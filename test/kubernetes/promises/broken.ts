import { needKey } from '../../../src/scheduler/need';
import { formatReason } from '../../../src/plan/reasons';
import { nodesNeeded } from '../../../src/scheduler/capacity';
import type { Pool } from '../../../src/scheduler/model';
import type { Planned } from './plan';
import type { Replay } from './replay';

/** Everything that a person needs to look into a broken promise. */
export function describeBroken({ seed, spec, planned, pending, wrong }: Replay): string {
  return [
    `fleet ${seed} (npm run test:kubernetes -- promises --seed ${seed} --fleets 1): a promise is broken`,
    ...pending.map(
      ({ promised: { cluster, pool, labels, pods }, missing, message }) =>
        `  ${missing} of ${pods} pods ${Object.values(labels).join(' ')} are not running in ${cluster}/${pool}\n` +
        `    the scheduler: ${message}`,
    ),
    ...wrong.map((line) => `  ${line}`),
    `  the plan: ${reasoning(planned).join('\n            ')}`,
    `  the fleet: ${JSON.stringify(spec)}`,
  ].join('\n');
}

/** What the plan reckoned with, by pool, and why it placed no more. */
function reasoning({ model, schedule, matcher }: Planned): string[] {
  const pools = model.sites.flatMap(({ pools }) => pools);
  const lines = pools.map((pool) => {
    const loads = loadsOn(pool, { model, schedule, matcher });
    const nodes = nodesNeeded(pool.node.counts, loads);
    const listed = loads.map(({ need, pods }) => `${pods} x ${needKey(need)}`).join(', ') || 'nothing';
    return `${pool.cluster}/${pool.name} has ${pool.nodes} nodes of ${pool.node.counts.join(',')}, promises ${listed}, needs ${nodes}`;
  });
  const refused = schedule.shortfalls.flatMap(({ deployment, missing, rejections }) =>
    rejections.slice(0, 3).map(({ cluster, pool = '', reason }) => {
      return `${deployment} lacks ${missing}: ${cluster}/${pool} ${reason.filter}: ${formatReason(reason)}`;
    }),
  );
  return [...lines, ...refused];
}

function loadsOn(pool: Pool, { model, schedule, matcher }: Pick<Planned, 'model' | 'schedule' | 'matcher'>) {
  return schedule.placements.flatMap(({ deployment, cluster, pools }) => {
    const engines = model.workloads.find(({ id }) => id === deployment)?.demand.engines ?? [];
    return engines
      .filter(({ name }) => cluster === pool.cluster && pools[name] === pool.name)
      .flatMap(({ members }) =>
        members.flatMap(({ pod, pods }) => {
          const fit = pod && matcher.fit(pod, pool.node);
          return fit && !('misfit' in fit) ? [{ need: fit.need, pods }] : [];
        }),
      );
  });
}
