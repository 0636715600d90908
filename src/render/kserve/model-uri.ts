import { readContainerSettings } from '../../engine/container-settings';
import { findNamedModel, isRepository } from '../../engine/named-model';
import { profileOf, servingMemberOf } from '../../engine/runtime-detection';
import type { ComputedEngine, ComputedReplica } from '../../replicas/replica';

/**
 * Returns where the files of a model are. KServe requires it, and with its initializer off it is a note: the volume of
 * the cache, the repository that the engine names, or the image.
 */
export function modelUriOf({ deployment, caches }: ComputedReplica, { engine }: ComputedEngine): string {
  const model = caches.find(({ content, adapter }) => content === 'Model' && adapter === undefined);
  const [container] = servingMemberOf(engine).template.spec.containers;
  if (model?.claimName !== undefined) return `pvc://${model.claimName}/${model.folder ?? ''}`;
  const named = findNamedModel(readContainerSettings(container, profileOf(deployment, engine).profile))?.value;
  return named !== undefined && isRepository(named) ? `hf://${named}` : `oci://${container.image}`;
}
