import { errorAt } from '../../base/diagnostic';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import { profileOf } from '../runtime-detection';

/** Checks that engines with adapters support them. */
export const checkAdapterSupport: FleetCheck = function* ({ deployments }) {
  for (const resource of deployments) {
    const { engines, loraAdapters } = resource.spec.template.spec;
    if (loraAdapters.length === 0) continue;
    for (const [index, engine] of engines.entries()) {
      const { profile } = profileOf(resource, engine);
      if (profile.adapters) continue;
      yield errorAt(
        'no-adapters',
        { resource, path: ['spec', 'template', 'spec', 'engines', index] },
        `engine '${engine.name}' runs ${profile.title}, which takes no adapters`,
        'Remove loraAdapters, or use a runtime that takes them: vLLM, SGLang, TGI, NIM, LlamaCpp or LMDeploy',
      );
    }
  }
};
