import type { ModelService } from '../api/model-service';
import { suggestName } from '../base/name-suggestion';
import type { FleetDiff } from './fleet-diff';

/** A label that a resource had and no longer has. */
export interface LostLabel {
  /** `namespace/name`. */
  readonly target: string;

  /** `track=stable`. */
  readonly label: string;

  /** The value that it has instead, if it is similar: `stabel`. */
  readonly misspelt?: string;
  readonly where: string;
}

/** Finds the labels of an entry that a change takes from deployments and endpoints. */
export function findLostLabels(service: ModelService, entry: number, { declarations }: FleetDiff): LostLabel[] {
  const wanted = service.spec.endpoints[entry]?.selector.matchLabels ?? {};
  return declarations.flatMap(({ id, fields }) => {
    const [kind, target = ''] = id.split(' ');
    if (kind !== 'ModelDeployment' && kind !== 'ModelEndpoint') return [];
    return fields.flatMap(({ path, before, after, where }) => {
      const key = String(path.at(-1));
      const isLabel = path.at(-2) === 'labels' && path.at(-3) === 'metadata';
      if (!isLabel || before === undefined || wanted[key] !== before || after === before) return [];
      const isNear = typeof after === 'string' && suggestName(after, [before]) !== undefined;
      return [{ target, label: `${key}=${before}`, where, ...(isNear && { misspelt: after }) }];
    });
  });
}
