import { resourceIdOf } from '../api/kinds';
import type { ModelService } from '../api/model-service';
import type { Diagnostic } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { suggestName } from '../base/name-suggestion';
import { sortUnique } from '../base/order';
import { joinNames } from '../base/text';
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

const SELECTS_NOTHING: DiagnosticCode = 'selects-nothing';

/**
 * Says of services that select nothing, and that a change leaves as they are, which labels it takes from what they
 * selected: the service is not the one to correct.
 *
 * @param services the earlier declarations
 */
export function explainEmptyServices(
  problems: readonly Diagnostic[],
  diff: FleetDiff,
  services: readonly ModelService[],
): Diagnostic[] {
  const changed = new Set(diff.declarations.map(({ id }) => id));
  const byId = new Map(services.map((one) => [resourceIdOf(one), one]));
  return problems.map((problem) => {
    const { code, subject = '' } = problem;
    const service = byId.get(subject);
    if (code !== SELECTS_NOTHING || !service || changed.has(subject)) return problem;
    const lost = service.spec.endpoints
      .flatMap((_, entry) => findLostLabels(service, entry, diff))
      .filter(({ target }) => target.startsWith(`${service.metadata.namespace}/`));
    if (lost.length === 0) return problem;
    const causes = sortUnique(lost.map(({ target, label, where }) => `${target} lost ${label} (${where})`));
    return { ...problem, hint: `${joinNames(causes, MAX_NAMED)}: keep the label, or select what replaces it` };
  });
}

/** The most causes to name. */
const MAX_NAMED = 3;

/** Finds the labels of an entry that a change takes from deployments and endpoints. */
export function findLostLabels(service: ModelService, entry: number, { declarations }: FleetDiff): LostLabel[] {
  const wanted = service.spec.endpoints[entry]?.selector.matchLabels ?? {};
  return declarations.flatMap(({ id, action, fields }) => {
    const [kind, target = ''] = id.split(' ');
    if (action === 'removed' || (kind !== 'ModelDeployment' && kind !== 'ModelEndpoint')) return [];
    return fields.flatMap(({ path, before, after, where }) => {
      const key = String(path.at(-1));
      const isLabel = path.at(-2) === 'labels' && path.at(-3) === 'metadata';
      if (!isLabel || before === undefined || wanted[key] !== before || after === before) return [];
      const isNear = typeof after === 'string' && suggestName(after, [before]) !== undefined;
      return [{ target, label: `${key}=${before}`, where, ...(isNear && { misspelt: after }) }];
    });
  });
}
