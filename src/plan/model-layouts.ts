import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { formatUnitPrice } from '../base/money';
import { sortUnique } from '../base/order';
import type { Fleet, PreviousRevision } from '../fleet/fleet';
import type { ModelExpansion, ModelLayout, ModelLayouts } from '../fleet/models/model-layouts';
import type { CompiledFleet, EngineDemand } from '../scheduler/compiled-fleet';
import type { Lock } from '../scheduler/lock/lock';
import { demandOf, groupByDeployment, type Placement } from '../scheduler/placement';
import { recordRevision } from '../scheduler/previous-revision';
import { shapeDigestOf } from '../scheduler/shape-digest';
import { formatLayout, nameLayout } from '../sizing/layout-rules';
import { gpusOf } from '../sizing/weights';
import type { DeploymentPlan, PlannedLayout } from './plan';

/** The layouts of all models of a fleet, for its lock. Nothing if it has no models. */
export function chosenLayoutsOf({ expansions }: Fleet): Pick<Lock, 'layouts'> {
  if (!expansions || expansions.size === 0) return {};
  return { layouts: new Map([...expansions].map(([id, { layouts }]): [string, ModelLayouts] => [id, layouts])) };
}

/** The engines of layouts that are replaced now, for replicas that still run them. */
export function replacedLayoutsOf({ expansions = new Map() }: Fleet): PreviousRevision[] {
  return [...expansions.values()].flatMap(({ earlier, variants }: ModelExpansion) => {
    if (!earlier) return [];
    const declared = new Set(variants.map(({ deployment }) => shapeDigestOf(deployment)));
    const replaced = earlier.filter(({ deployment }) => !declared.has(shapeDigestOf(deployment)));
    return replaced.flatMap(({ deployment }) => recordRevision(deployment) ?? []);
  });
}

/** A deployment in one of its layouts, with the replicas that run it. */
export interface DeploymentLayout {
  readonly deployment: ModelDeployment;
  readonly demands: readonly EngineDemand[];
  readonly placements: readonly Placement[];
}

/** Lists the deployments of a fleet, those with several layouts once for each layout. */
export function listDeploymentLayouts(
  { deployments, expansions }: Fleet,
  model: CompiledFleet,
  placements: readonly Placement[],
): DeploymentLayout[] {
  const byDeployment = groupByDeployment(placements);
  const compiled = new Map(model.deployments.map((one) => [one.id, one]));
  return deployments.flatMap((deployment): DeploymentLayout[] => {
    const id = qualifiedNameOf(deployment);
    const own = byDeployment.get(id) ?? [];
    const found = compiled.get(id);
    const variants = expansions?.get(id)?.variants ?? [];
    if (variants.length < 2) return [{ deployment, demands: found?.demand.engines ?? [], placements: own }];
    return variants.map((variant) => {
      const shape = shapeDigestOf(variant.deployment);
      const demands = (found && demandOf(found, { shape })?.engines) ?? [];
      return {
        deployment: variant.deployment,
        demands,
        placements: own.filter((placement) => placement.shape === shape),
      };
    });
  });
}

/** Adds the layouts of their models to the plans of deployments: those that replicas run, or else those they may. */
export function addLayouts(
  plans: readonly DeploymentPlan[],
  { expansions }: Fleet,
  placements: readonly Placement[],
): readonly DeploymentPlan[] {
  if (!expansions) return plans;
  const byDeployment = groupByDeployment(placements);
  return plans.map((plan) => {
    const expansion = expansions.get(plan.deployment);
    if (!expansion) return plan;
    const own = (byDeployment.get(plan.deployment) ?? []).filter(({ draining }) => !draining);
    const all = expansion.variants.map(({ layout, deployment }) => {
      const shape = shapeDigestOf(deployment);
      const clusters = sortUnique(own.filter((one) => one.shape === shape).map(({ cluster }) => cluster));
      return toPlannedLayout(layout, expansion, clusters);
    });
    const used = all.filter(({ clusters }) => clusters.length > 0);
    return { ...plan, layouts: used.length > 0 ? used : all };
  });
}

function toPlannedLayout(
  layout: ModelLayout,
  { layouts: { repository, context } }: ModelExpansion,
  clusters: readonly string[],
): PlannedLayout {
  const { gpu, kvGiB, requests, classes } = layout;
  const division = formatLayout(layout);
  return { model: repository, gpu, gpus: gpusOf(layout), division, classes, kvGiB, requests, context, clusters };
}

/** Notes where a layout costs less than the one that the lock has. */
export function describeCheaperLayouts({ expansions = new Map(), hardware }: Fleet): string[] {
  return [...expansions].flatMap(([id, { layouts, cheaper }]: [string, ModelExpansion]) => {
    const [chosen] = layouts.layouts;
    if (!cheaper || !chosen) return [];
    const { currency } = hardware.prices;
    const [now, then] = [cheaper.perHour, cheaper.chosenPerHour].map((price) => formatUnitPrice(price, currency));
    const [less, more] = [cheaper.layout, chosen].map(nameLayout);
    return [
      `${id} costs less with ${less}: ${now} an hour for a replica, and ${then} with ${more}, which the lock has. 'fleetwright lock DIR --refit' changes it.`,
    ];
  });
}
