import type { Engine, EngineMember } from '../api/engine';
import { isDynamo, isFrontend } from '../api/engine-phases';
import type { ModelDeployment } from '../api/model-deployment';
import { isDeepEqual } from '../base/deep-equal';
import { sortUnique } from '../base/order';
import type { DynamoFramework } from '../catalog/engines/dynamo';
import { profileOf } from './runtime-detection';

/** The types of components that engines are. */
type ComponentType = 'frontend' | 'worker' | 'prefill' | 'decode';

const TYPES: Readonly<Record<NonNullable<Engine['phase']>, ComponentType>> = {
  Frontend: 'frontend',
  Prefill: 'prefill',
  Decode: 'decode',
};

export function componentTypeOf({ phase }: Engine): ComponentType {
  return phase ? TYPES[phase] : 'worker';
}

/** Whether all engines of a deployment are parts of a graph of Dynamo. */
export function isDynamoGraph({ spec }: Pick<ModelDeployment, 'spec'>): boolean {
  return spec.template.spec.engines.every(isDynamo);
}

/** Whether an engine of a graph takes several nodes. */
export function hasGang({ spec }: Pick<ModelDeployment, 'spec'>): boolean {
  return spec.template.spec.engines.some(({ members }) => members.length > 1);
}

/** The frameworks that the workers of a graph run, as far as their commands and images say. */
export function frameworksOf(deployment: ModelDeployment): DynamoFramework[] {
  const workers = deployment.spec.template.spec.engines.filter((engine) => !isFrontend(engine));
  const known = workers.flatMap((engine) => profileOf(deployment, engine).profile.framework ?? []);
  return sortUnique(known) as DynamoFramework[];
}

/** What a gang has once for its leader and its workers: a component has one template for all of its pods. */
export function differingPartsOf({ members }: Engine): string[] {
  const [leader, worker] = (['Leader', 'Worker'] as const).map((role) => members.find((one) => one.role === role));
  if (!leader || !worker) return [];
  const [a, b] = [partsOf(leader), partsOf(worker)];
  const started = b.command === undefined && b.args === undefined;
  return Object.keys(a).filter((name) => {
    if (started && (name === 'command' || name === 'args')) return false;
    return !isDeepEqual(a[name], b[name]);
  });
}

type Parts = Readonly<Record<string, unknown>>;

/** What a template says of its pods, by the words of messages. */
function partsOf({ nodeSelector, template }: EngineMember): Parts {
  const { containers, ...pod } = template.spec;
  const [{ command, args, image, env, resources, ...container }, ...sidecars] = containers;
  return {
    devices: nodeSelector,
    labels: template.metadata.labels,
    annotations: template.metadata.annotations,
    image,
    command,
    args,
    variables: env,
    resources,
    'container fields': container,
    sidecars,
    'pod fields': pod,
  };
}
