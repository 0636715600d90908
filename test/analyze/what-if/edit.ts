import { DRAIN_TAINT } from '../../../src/plan/drains';
import type { Step, StepOf } from '../../../src/analyze/what-if/scenario';
import { clusterLabelsOf } from '../../../src/api/cluster-labels';
import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { Resource } from '../../../src/api/kinds';
import type { NodePool } from '../../../src/api/node-pool';
import { qualifiedNameOf } from '../../../src/api/resource';

type Spec = InferenceCluster['spec'];
type Where = Pick<StepOf<'remove-pool'>, 'cluster' | 'pool'>;

/** What a step does, done to the declarations as a user would. A price needs a class of its own for the pool. */
const EDITS: { readonly [K in Step['kind']]: (resources: Resource[], step: StepOf<K>) => Resource[] } = {
  drain: (resources, { cluster }) =>
    onCluster(resources, cluster, (spec) => ({ ...spec, taints: [...spec.taints, DRAIN_TAINT] })),
  lose: (resources, { cluster }) => resources.filter((one) => !isCluster(one) || one.metadata.name !== cluster),
  'lose-domain': (resources, { label, value }) =>
    resources.filter((one) => !isCluster(one) || clusterLabelsOf(one)[label] !== value),
  'remove-pool': (resources, where) => onPool(resources, where, () => []),
  'add-nodes': (resources, { nodes, ...where }) =>
    onPool(resources, where, (pool) => [{ ...pool, nodeCount: Math.max(0, pool.nodeCount + nodes) }]),
  scale: (resources, { deployment, replicas }) =>
    resources.map((one) =>
      one.kind === 'ModelDeployment' && qualifiedNameOf(one) === deployment
        ? { ...one, spec: { ...one.spec, replicas } }
        : one,
    ),
  'scale-engine': (resources, { deployment, engine, copies }) =>
    resources.map((one) => {
      if (one.kind !== 'ModelDeployment' || qualifiedNameOf(one) !== deployment) return one;
      const { template } = one.spec;
      const engines = template.spec.engines.map((each) => (each.name === engine ? { ...each, copies } : each));
      return { ...one, spec: { ...one.spec, template: { ...template, spec: { ...template.spec, engines } } } };
    }),
  price: (resources, { cluster, pool, perHour }) => {
    const found = resources.find((one) => isCluster(one) && one.metadata.name === cluster);
    const of = (found as InferenceCluster).spec.nodePools.find(({ name }) => name === pool)!.className;
    const className = `priced-${cluster}-${pool}`;
    const copies = resources.flatMap((one): Resource[] => {
      if (one.kind !== 'InferenceClass' || one.metadata.name !== of) return [];
      const { metadata, spec } = one;
      const price = { perHour, currency: 'USD' };
      return [{ ...one, metadata: { ...metadata, name: className }, spec: { ...spec, price } }];
    });
    const others = resources.filter(({ metadata }) => metadata.name !== className);
    return [...onPool(others, { cluster, pool }, (one) => [{ ...one, className }]), ...copies];
  },
};

/** The declarations after a step. */
export function edited<K extends Step['kind']>(resources: Resource[], step: StepOf<K>): Resource[] {
  const edit = EDITS[step.kind as K] as (resources: Resource[], step: StepOf<K>) => Resource[];
  return edit(resources, step);
}

function isCluster(one: Resource): one is InferenceCluster {
  return one.kind === 'InferenceCluster';
}

function onCluster(resources: Resource[], cluster: string, change: (spec: Spec) => Spec): Resource[] {
  return resources.map((one) =>
    isCluster(one) && one.metadata.name === cluster ? { ...one, spec: change(one.spec) } : one,
  );
}

function onPool(resources: Resource[], { cluster, pool }: Where, change: (one: NodePool) => NodePool[]): Resource[] {
  return onCluster(resources, cluster, (spec) => ({
    ...spec,
    nodePools: spec.nodePools.flatMap((one) => (one.name === pool ? change(one) : [one])),
  }));
}
