import { resourceId } from '../api/kinds';
import { groupBy, sortedBy } from '../order';
import { native } from './native';
import type { RendererFor } from './renderers';
import type { ComputedReplica } from './replica';

/** Which deployments are rendered by others than us: sentences for the plan, one a renderer. */
export function renderedByOthers(replicas: readonly ComputedReplica[], rendererFor: RendererFor): string[] {
  const others = replicas.filter((replica) => rendererFor(replica) !== native);
  const byRenderer = groupBy(others, (replica) => rendererFor(replica).name);
  return sortedBy(byRenderer, ([name]) => name).map(([name, some]) => {
    const ids = new Set(some.map(({ deployment }) => resourceId(deployment)));
    return `${sortedBy(ids, (id) => id).join(', ')}: rendered by ${name}.`;
  });
}
