import type { Group } from '../api/resource';
import type { JsonObject } from './manifest';

/** The variable with the address of the leader of a gang. */
export const LEADER_ADDRESS = 'FLEETWRIGHT_LEADER_ADDRESS';

/** What each pod of a gang learns about its group, from what the controller of LeaderWorkerSets sets before it. */
const BOOTSTRAP = {
  [LEADER_ADDRESS]: '$(LWS_LEADER_ADDRESS)',
  FLEETWRIGHT_RANK: '$(LWS_WORKER_INDEX)',
  FLEETWRIGHT_GROUP_SIZE: '$(LWS_GROUP_SIZE)',
} as const;

/** A variable of a container. */
type NamedVariable = JsonObject & { readonly name: string };

/** The names that args of deployments under each group may use besides. */
const BOOTSTRAP_OF_GROUP: Readonly<Record<Group, Readonly<Record<string, string>>>> = {
  'fleetwright.dev': {},
  'modelplane.ai': {
    MODELPLANE_LEADER_ADDRESS: '$(LWS_LEADER_ADDRESS)',
    MODELPLANE_RANK: '$(LWS_WORKER_INDEX)',
  },
};

/**
 * The environment of a pod of a gang: ours first, because Kubernetes expands `$(NAME)` only from variables that
 * stand before. A variable of the user's takes the place of ours of that name.
 */
export function gangEnvironment(group: Group, own: readonly NamedVariable[]): JsonObject[] {
  const taken = new Set(own.map(({ name }) => name));
  const ours = Object.entries({ ...BOOTSTRAP, ...BOOTSTRAP_OF_GROUP[group] })
    .filter(([name]) => !taken.has(name))
    .map(([name, value]) => ({ name, value }));
  return [...ours, ...own];
}
