import type { Fault } from '../api/checks/fault';
import type { Fleet } from '../fleet';
import { adaptersOf } from '../engine/additions';
import { readContainer } from '../engine/arguments';
import { ADAPTERS_PATH, filesOf } from '../engine/files';
import { profileOf, servingMember } from '../engine/recognise';

/** Adapters that engines find on their disks and are not told of, because a script starts them: one an engine. */
export function adapterWarnings({ deployments, caches }: Fleet): Fault[] {
  return deployments.flatMap((deployment) => {
    const { engines } = deployment.spec.template.spec;
    const { adapters } = filesOf(deployment, caches);
    if (adapters.length === 0) return [];
    return engines.flatMap((engine, index) => {
      const { profile } = profileOf(deployment, engine);
      const reading = readContainer(servingMember(engine).template.spec.containers[0], profile);
      if (adaptersOf(reading, adapters, ADAPTERS_PATH)) return [];
      const flags = profile.adapters?.flags.join(' or ') ?? '';
      return [
        {
          code: 'adapters-not-passed',
          resource: deployment,
          path: ['spec', 'template', 'spec', 'engines', index],
          what: `a script starts engine '${engine.name}', so nothing tells it of its adapters`,
          hint: `Name their folders below ${ADAPTERS_PATH} in the script, with ${flags}`,
        },
      ];
    });
  });
}
