import type { Engine, EngineMember } from '../api/engine';
import type { FleetSettings } from '../api/fleet-settings';
import { addRegistry } from '../api/image-registry';
import type { ModelDeployment } from '../api/model-deployment';
import type { Toleration } from '../api/schema/taints-and-tolerations';

/** A deployment with what the fleet adds to every deployment. Its own labels win; adding twice changes nothing. */
export function applyFleetDefaults(
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
          tolerations: unionTolerations(template.spec.tolerations, tolerations),
          engines: template.spec.engines.map((engine) => applyImageRegistry(engine, imageRegistry)),
        },
      },
    },
  };
}

function applyImageRegistry(engine: Engine, registry: string | undefined): Engine {
  const pulled = <C extends { image: string }>(container: C): C => ({
    ...container,
    image: addRegistry(container.image, registry),
  });
  const members = engine.members.map((member): EngineMember => {
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

function unionTolerations<T extends Toleration>(own: readonly T[], added: readonly T[]): T[] {
  return [...own, ...added.filter((one) => !own.some((other) => isSameToleration(one, other)))];
}

function isSameToleration(a: Toleration, b: Toleration): boolean {
  return a.key === b.key && a.operator === b.operator && a.value === b.value && a.effect === b.effect;
}
