import type { Engine, Member } from './engine';
import type { FleetSettings } from './fleet';
import { withRegistry } from './image';
import type { ModelDeployment } from './model-deployment';
import type { Toleration } from './shared/toleration';

/** A deployment with what the fleet adds to every deployment. Its own labels win; adding twice changes nothing. */
export function withDefaults(
  deployment: ModelDeployment,
  settings: FleetSettings | undefined,
): ModelDeployment {
  if (!settings) return deployment;
  const { labels, tolerations, imageRegistry } = settings.spec.defaults;
  const { template } = deployment.spec;
  return {
    ...deployment,
    spec: {
      ...deployment.spec,
      template: {
        metadata: { labels: { ...labels, ...template.metadata.labels } },
        spec: {
          ...template.spec,
          tolerations: union(template.spec.tolerations, tolerations),
          engines: template.spec.engines.map((engine) => fromRegistry(engine, imageRegistry)),
        },
      },
    },
  };
}

function fromRegistry(engine: Engine, registry: string | undefined): Engine {
  const pulled = <C extends { image: string }>(container: C): C => ({
    ...container,
    image: withRegistry(container.image, registry),
  });
  const members = engine.members.map((member): Member => {
    const { initContainers, containers, ...spec } = member.template.spec;
    const [own, ...helpers] = containers;
    return {
      ...member,
      template: {
        ...member.template,
        spec: {
          ...spec,
          ...(initContainers && { initContainers: initContainers.map(pulled) }),
          containers: [pulled(own), ...helpers.map(pulled)],
        },
      },
    };
  });
  return { ...engine, members };
}

function union<T extends Toleration>(own: readonly T[], added: readonly T[]): T[] {
  return [...own, ...added.filter((one) => !own.some((other) => same(one, other)))];
}

function same(a: Toleration, b: Toleration): boolean {
  return a.key === b.key && a.operator === b.operator && a.value === b.value && a.effect === b.effect;
}
