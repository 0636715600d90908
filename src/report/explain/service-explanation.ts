import { formatRequirements } from '../../api/label-matching';
import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { pluralize } from '../../base/text';
import type { RoutedService, RouteMember, RouteRule } from '../../routing/routing';
import { type Block, type Item, section, strong } from '../document/document';
import { formatConditions, formatMember } from '../plan/plan-text';

/** Formats the size of a service as one line. */
export function formatServiceSummary(declared: ModelService, routed: RoutedService | undefined): Item {
  const targets = new Set((routed?.rules ?? []).flatMap(({ members }) => members.map(({ hostname }) => hostname)));
  const entries = declared.spec.endpoints.length;
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  const state = routed ? pluralize(targets.size, 'target') : 'no routes';
  return { text: [strong(qualifiedNameOf(declared)), `: ${count}, ${state}`] };
}

/**
 * Formats a service: where clients find it, and for each entry what it selects, its share, and where that is.
 *
 * @param hasGateway whether the fleet has a gateway
 */
export function formatServiceExplanation(
  declared: ModelService,
  routed: RoutedService | undefined,
  hasGateway: boolean,
): Block[] {
  const { gateways = [], models = [], rules = [] } = routed ?? {};
  const urls = gateways.map(({ url, gateway, cluster }) => `${url}   gateway ${gateway} on ${cluster}`);
  return [
    formatServiceSummary(declared, routed),
    '',
    ...section(
      urls.length > 0 ? [{ text: 'Addresses:', below: urls }] : [hasGateway ? NO_TARGETS : 'No gateway serves it.'],
    ),
    ...section(models.length > 0 ? [{ text: 'Models:', below: models }] : []),
    ...declared.spec.endpoints.map((entry, e) => formatEntry(entry, e, rules)),
  ];
}

const NO_TARGETS = 'It has no routes, because its entries select nothing that serves.';

function formatEntry(entry: ModelService['spec']['endpoints'][number], e: number, rules: readonly RouteRule[]): Item {
  const { selector, weight, tier } = entry;
  const selected = formatRequirements(selector).join(', ');
  const settings = [`weight ${weight}`, ...(tier === 1 ? ['tier 1'] : [])].join(', ');
  const below = rules.flatMap((rule): Block[] => {
    const own = rule.members.filter((member) => member.entry === e).map((member) => formatTarget(member, rule));
    const conditions = formatConditions(rule);
    return own.length > 0 && conditions.length > 0 ? [{ text: `with ${conditions.join(', ')}`, below: own }] : own;
  });
  return {
    text: [strong(`endpoints[${e}]`), `   ${selected}; ${settings}`],
    below: below.length > 0 ? below : ['selects nothing that serves'],
  };
}

function formatTarget(member: RouteMember, rule: RouteRule): string {
  const places =
    member.cluster === undefined ? '' : `: ${member.replicas.map((i) => `${member.cluster}/${i}`).join(', ')}`;
  return `${formatMember(member, rule)}${places}`;
}
