import type { Engine, EngineMember } from '../api/engine';
import type { FleetSettings } from '../api/fleet-settings';
import { addRegistry } from '../api/image-names';
import type { ModelDeployment } from '../api/model-deployment';
import type { Toleration } from '../api/schema/taints-and-tolerations';

/** Applies the defaults of the fleet to a deployment. Labels of the deployment win. The function is idempotent. */
export function applyFleetDefaults(deployment: ModelDeployment, settings: FleetSettings | undefined): ModelDeployment {
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
  const withRegistry = <C extends { image: string }>(container: C): C => ({
    ...container,
    image: addRegistry(container.image, registry),
  });
  const members = engine.members.map((member): EngineMember => {
    const { initContainers, containers, ...spec } = member.template.spec;
    const [main, ...sidecars] = containers;
    return {
      ...member,
      template: {
        ...member.template,
        spec: {
          ...spec,
          ...(initContainers && { initContainers: initContainers.map(withRegistry) }),
          containers: [withRegistry(main), ...sidecars.map(withRegistry)],
        },
      },
    };
  });
  return { ...engine, members };
}

function unionTolerations<T extends Toleration>(tolerations: readonly T[], added: readonly T[]): T[] {
  return [...tolerations, ...added.filter((one) => !tolerations.some((other) => isSameToleration(one, other)))];
}

function isSameToleration(a: Toleration, b: Toleration): boolean {
  return a.key === b.key && a.operator === b.operator && a.value === b.value && a.effect === b.effect;
}
