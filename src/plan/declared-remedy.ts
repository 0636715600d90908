import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import type { Remedy } from '../scheduler/remedy';
import { changePools, resizePool } from './changed-clusters';

/** Declares a remedy in a fleet as a user would. */
type Declare<K extends Remedy['kind']> = (
  fleet: Fleet,
  remedy: Extract<Remedy, { kind: K }>,
  deployment: string,
) => Fleet | undefined;

const DECLARATIONS: { readonly [K in Remedy['kind']]?: Declare<K> } = {
  nodes: (fleet, { cluster, pool, nodes, newPool }) => {
    if (newPool) return undefined;
    return changePools(fleet, cluster, (pools) => {
      return pools.map((one) => (one.name === pool ? resizePool(one, nodes) : one));
    });
  },
  packing: (fleet, { cluster, pool }) =>
    changePools(fleet, cluster, (pools) => {
      return pools.map((one) => (one.name === pool ? { ...one, packing: 'BinPack' as const } : one));
    }),
  limit: (fleet, { field, to }, id) =>
    changeSpec(fleet, id, (spec) => ({ ...spec, placement: { ...spec.placement, [field]: to } })),
  surge: (fleet, _, id) => changeSpec(fleet, id, (spec) => ({ ...spec, rollout: { ...spec.rollout, surge: 0 } })),
  copies: (fleet, { engine: name, to }, id) =>
    changeSpec(fleet, id, ({ template, ...spec }) => {
      const engines = template.spec.engines.map((engine) => {
        const { copies } = engine;
        return engine.name === name && typeof copies !== 'number'
          ? { ...engine, copies: { ...copies, max: to } }
          : engine;
      });
      return { ...spec, template: { ...template, spec: { ...template.spec, engines } } };
    }),
};

/** A remedy of a deployment. */
export interface DeclaredRemedy {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly remedy: Pick<Remedy, 'kind'>;
}

/** A fleet that declares remedies of deployments. Undefined: declarations alone do not make them. */
export function declareRemedies(fleet: Fleet, remedies: readonly DeclaredRemedy[]): Fleet | undefined {
  return remedies.reduce<Fleet | undefined>((changed, one) => changed && declareRemedy(changed, one), fleet);
}

function declareRemedy(fleet: Fleet, { deployment, remedy }: DeclaredRemedy): Fleet | undefined {
  const declare = DECLARATIONS[remedy.kind] as Declare<typeof remedy.kind> | undefined;
  return declare?.(fleet, remedy as never, deployment);
}

function changeSpec(
  fleet: Fleet,
  id: string,
  change: (spec: ModelDeployment['spec']) => ModelDeployment['spec'],
): Fleet {
  const deployments = fleet.deployments.map((one) =>
    qualifiedNameOf(one) === id ? { ...one, spec: change(one.spec) } : one,
  );
  return { ...fleet, deployments };
}
