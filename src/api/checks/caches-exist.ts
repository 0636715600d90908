import { cacheRefs } from '../cache/refs';
import { type FleetCheck, unknownReference } from './fault';

/** Every cache that a deployment mounts is declared in its namespace, and holds what it is mounted as. */
export const cachesExist: FleetCheck = function* ({ caches, deployments }) {
  for (const resource of deployments) {
    for (const { name, as, path } of cacheRefs(resource)) {
      const near = caches.filter(({ metadata }) => metadata.namespace === resource.metadata.namespace);
      const found = near.find(({ metadata }) => metadata.name === name);
      const known = near.map(({ metadata }) => metadata.name);
      if (!found) yield unknownReference({ resource, path, kind: 'ModelCache', name, known });
      else if ((found.spec.content === 'LoRA') !== (as === 'LoRA')) {
        yield {
          code: 'wrong-reference',
          resource,
          path,
          what: `ModelCache '${name}' holds content ${found.spec.content}`,
          hint:
            as === 'LoRA'
              ? "Refer to one with 'content: LoRA'"
              : 'Write an adapter at spec.template.spec.loraAdapters, and the model that it is for here',
        };
      }
    }
  }
};
