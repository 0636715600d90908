import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import type { Diagnostic } from '../../base/diagnostic';
import { Interner } from '../../base/interning';
import { getOrCompute } from '../../base/memoize';
import { sortedBy } from '../../base/order';
import { applyFleetDefaults } from '../../fleet/deployment-defaults';
import type { Fleet } from '../../fleet/fleet';
import type { LayoutsByDeployment, ModelExpansion, ModelLayouts, ModelVariant } from '../../fleet/models/model-layouts';
import { findCheaper } from './cheaper-layout';
import { chooseLayouts, digestModel } from './choose-layouts';
import { type EngineMemo, expandEngine } from './expand-engine';
import { findContradictions } from './find-contradictions';
import { cacheOf, isCacheable } from './model-cache';

/** What was chosen before, and whether to choose again. */
export interface HeldLayouts {
  /** The layouts that the lock has. Absent: none. */
  readonly layouts?: LayoutsByDeployment | undefined;

  /** Choose all layouts again. */
  readonly refit?: boolean | undefined;
}

/**
 * Expands the models of deployments to engines. A layout that was chosen before stays, unless the spec changed, its
 * classes are gone, or `refit` is set. The result does not depend on the order of anything. A fleet without models is
 * returned as it is, and so is one whose models are expanded: the command line expands first, to find earlier engines.
 */
export function expandModels(fleet: Fleet, held: HeldLayouts): Fleet {
  if (fleet.expansions || !fleet.deployments.some(({ spec }) => spec.model)) return fleet;
  const memo: Memo = { choices: new Map(), cheaper: new Map(), digests: new Map(), variants: createVariantMemo() };
  const expansions = new Map<string, ModelExpansion>();
  const modelFaults: Diagnostic<ResourcePath>[] = [];
  const deployments = fleet.deployments.map((deployment) => {
    if (!deployment.spec.model) return deployment;
    const found = expandDeployment(deployment, { fleet, memo }, held);
    if ('problems' in found) {
      modelFaults.push(...found.problems);
      return withoutEngines(deployment);
    }
    expansions.set(qualifiedNameOf(deployment), found);
    return found.variants[0].deployment;
  });
  const added = [...expansions.values()].flatMap(({ cache }) => cache ?? []);
  const distinct = new Map([...added, ...fleet.caches].map((cache) => [qualifiedNameOf(cache), cache]));
  const caches = sortedBy(distinct.values(), ({ metadata }) => `${metadata.namespace}\0${metadata.name}`);
  return { ...fleet, deployments, caches, expansions, ...(modelFaults.length > 0 && { modelFaults }) };
}

type Expanded = ModelExpansion | { readonly problems: readonly Diagnostic<ResourcePath>[] };

type Spec = ModelDeployment['spec'];

/**
 * What was expanded already. Deployments that share a spec share what it expands to, and equal engines are one object:
 * later steps handle each object once.
 */
interface VariantMemo {
  readonly bySpec: Map<Spec, Map<string, ModelVariant>>;
  readonly engines: EngineMemo;
}

function createVariantMemo(): VariantMemo {
  return { bySpec: new Map(), engines: new Interner() };
}

/** What many deployments with the same model share. */
interface Memo {
  readonly choices: Map<string, ReturnType<typeof chooseLayouts>>;
  readonly cheaper: Map<string, ReturnType<typeof findCheaper>>;
  readonly digests: Map<Spec, string>;
  readonly variants: VariantMemo;
}

interface Scope {
  readonly fleet: Fleet;
  readonly memo: Memo;
}

function expandDeployment(
  deployment: ModelDeployment,
  { fleet, memo }: Scope,
  { layouts: known, refit }: HeldLayouts,
): Expanded {
  const problems = [...findContradictions(deployment)];
  if (problems.length > 0) return { problems };
  const before = known?.get(qualifiedNameOf(deployment));
  const digest = digestOnce(deployment, memo);
  const key = JSON.stringify([digest, deployment.spec.template.spec.clusterSelector]);
  const choose = (): ReturnType<typeof chooseLayouts> => chooseOnce(key, deployment, { fleet, memo });
  const expand = (layouts: ModelLayouts): ModelExpansion => expandLayouts(deployment, layouts, fleet, memo.variants);
  const valid = before?.spec === digest && hasClass(before, fleet);
  if (valid && !refit) {
    const pair = `${key} ${JSON.stringify(before.layouts)}`;
    if (!memo.cheaper.has(pair)) memo.cheaper.set(pair, findCheaper(deployment, before, choose(), fleet));
    const cheaper = memo.cheaper.get(pair);
    return { ...expand(before), ...(cheaper && { cheaper }) };
  }
  const choice = choose();
  if ('problems' in choice) return choice;
  const chosen = { ...choice.layouts, cached: isCacheable(deployment, choice.layouts, fleet) };
  if (before && JSON.stringify(chosen) === JSON.stringify(before)) return expand(before);
  const earlier = before?.spec === chosen.spec ? expand(before).variants : undefined;
  return { ...expand(chosen), ...(earlier && { earlier }) };
}

function digestOnce(deployment: ModelDeployment, { digests }: Memo): string {
  const digest = digests.get(deployment.spec) ?? digestModel(deployment);
  digests.set(deployment.spec, digest);
  return digest;
}

/** Problems name the deployment, so only layouts are shared. */
function chooseOnce(
  key: string,
  deployment: ModelDeployment,
  { fleet, memo }: Scope,
): ReturnType<typeof chooseLayouts> {
  const known = memo.choices.get(key);
  if (known) return known;
  const choice = chooseLayouts(deployment, fleet);
  if ('layouts' in choice) memo.choices.set(key, choice);
  return choice;
}

/** Whether one of the classes of layouts is still there. */
function hasClass({ layouts }: ModelLayouts, { classes }: Fleet): boolean {
  const names = new Set(classes.map(({ metadata }) => metadata.name));
  return layouts.some((layout) => layout.classes.some((name) => names.has(name)));
}

/** Expands the model of a deployment to the engines of layouts that are known. */
export function expandLayouts(
  deployment: ModelDeployment,
  chosen: ModelLayouts,
  fleet: Pick<Fleet, 'caches' | 'settings'>,
  memo: VariantMemo = createVariantMemo(),
): ModelExpansion {
  const cache = cacheOf(deployment, chosen, fleet);
  const name = cache?.metadata.name;
  const written = JSON.stringify([chosen, name]);
  const [first, ...others] = chosen.layouts.map((layout, at): ModelVariant => {
    const variant = getOrCompute(memo.bySpec, deployment.spec, `${at} ${written}`, () => {
      const expanded = expandEngine({ deployment, chosen, layout, cache: name }, memo.engines);
      return { ...expanded, deployment: applyFleetDefaults(expanded.deployment, fleet.settings) };
    });
    return { ...variant, deployment: { ...deployment, spec: variant.deployment.spec } };
  });
  if (!first) throw new Error(`bug: ${qualifiedNameOf(deployment)} has no layout`);
  const added = cache && !fleet.caches.some((one) => qualifiedNameOf(one) === qualifiedNameOf(cache));
  return { layouts: chosen, variants: [first, ...others], ...(added && { cache }) };
}

/** A deployment whose model cannot be expanded has no engines, so that checks say nothing else of it. */
function withoutEngines(deployment: ModelDeployment): ModelDeployment {
  const { template } = deployment.spec;
  const spec = { ...template.spec, engines: [] };
  return { ...deployment, spec: { ...deployment.spec, template: { ...template, spec } } };
}
