import { resourceIdOf } from '../api/kinds';
import type { InferenceGateway } from '../api/inference-gateway';
import type { ModelService } from '../api/model-service';
import { groupBy, sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';

/** Describes keys of clients that do less, or more, than their declarations suggest. */
export function describeAccess(fleet: Fleet): string[] {
  return [...fleet.gateways.flatMap((gateway) => describeUnusedKeys(gateway, fleet)), ...describeSharedKeys(fleet)];
}

/** Describes API keys of a gateway that no service takes, because each has authentication of its own. */
function describeUnusedKeys({ metadata, spec }: InferenceGateway, { services }: Fleet): string[] {
  const isUsed = services.length === 0 || services.some((service) => service.spec.auth === undefined);
  if (isUsed || !spec.auth?.enabled || spec.auth.apiKeys.length === 0) return [];
  return [`The API keys of InferenceGateway ${metadata.name} open no service: each service has its own 'auth'.`];
}

/** What names entries of a Secret as keys. */
interface NamedEntries {
  readonly owner: ModelService | InferenceGateway;
  readonly secret: string;
  readonly names: readonly string[];
}

/** Describes Secrets of which services or gateways name different entries, as if the others were no keys there. */
function describeSharedKeys({ services, gateways }: Fleet): string[] {
  const named = [...services, ...gateways].flatMap(listNamedEntries);
  return [...groupBy(named, ({ secret }) => secret)].flatMap(([secret, all]) => {
    const entries = sortUnique(all.flatMap(({ names }) => names));
    const opens = all.flatMap(({ owner, names }) => {
      const others = entries.filter((entry) => !names.includes(entry));
      return others.length > 0 ? [`${resourceIdOf(owner)} also accepts ${joinNames(others, MAX_NAMED)}`] : [];
    });
    if (opens.length === 0) return [];
    const why = `Every entry of Secret ${secret} is a key`;
    return [`${why}: ${joinNames(opens, MAX_NAMED)}. To keep clients apart, use a Secret for each.`];
  });
}

/** The most entries or services to name. */
const MAX_NAMED = 4;

function listNamedEntries(owner: ModelService | InferenceGateway): NamedEntries[] {
  const { auth } = owner.spec;
  if (!auth?.enabled) return [];
  const namespace = owner.metadata.namespace ?? SYSTEM_NAMESPACE;
  const secrets = groupBy(auth.apiKeys, ({ secretRef }) => `${namespace}/${secretRef.name}`);
  return [...secrets].map(([secret, keys]) => ({ owner, secret, names: keys.map(({ name }) => name) }));
}
