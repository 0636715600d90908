import { resourceId } from '../../api/kinds';
import type { ModelService } from '../../api/model-service';
import type { Selectable } from '../grants';

/** What to do about an entry that selects nothing: what it means is elsewhere, or nowhere. */
export function grantHint([first]: readonly Selectable[], { metadata }: ModelService): string {
  if (!first) return 'Correct the selector, or label a deployment or an endpoint';
  const { kind, metadata: target } = first.resource;
  const spec = `from: [{ namespace: ${metadata.namespace} }], to: [{ kind: ${kind} }]`;
  return `${resourceId(first.resource)} has them: declare a Grant in namespace ${target.namespace}, with ${spec}`;
}
