import { sortUnique } from '../../base/order';
import type { CloudPool } from '../node-pools';
import { type AksContext, NODE_SUBNET } from './network';

/** The built-in roles of Azure (Azure documentation, "Azure built-in roles"). */
const ROLES = {
  NetworkContributor: '4d97b98b-1d4f-4787-a291-c67834d212e7',
  Contributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  ClusterAdmin: 'b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b',
  BlobDataReader: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
} as const;

/** The argument of a role assignment that names the role. */
export function roleArgsOf(role: keyof typeof ROLES) {
  return { roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${ROLES[role]}` };
}

/** The identity that creates a cluster. Its ID is known only when Pulumi runs. */
export const CREATOR = 'creator';

/**
 * Plans the identity of the control plane, and its roles. It must exist before the cluster, because the control plane
 * adds nodes to the subnet and takes machines from capacity reservation groups.
 */
export function planAksIdentity(context: AksContext, pools: readonly CloudPool<'aks'>[]) {
  const { cluster, location, resourceGroupName, tags } = context;
  const name = `${cluster.metadata.name}-control-plane`;
  const groups = sortUnique(pools.flatMap(({ machine }) => machine.capacityReservationGroup ?? []));
  // Without it, Azure looks the identity up, and does not find a new one for some minutes.
  const principalType = 'ServicePrincipal';
  return {
    identity: { name, args: { resourceGroupName, resourceName: name, location, tags } },
    roles: [
      {
        name: 'subnet',
        args: { ...roleArgsOf('NetworkContributor'), principalType },
        refs: { principalId: name, scope: NODE_SUBNET },
      },
      ...groups.map((scope) => ({
        name: reservationNameOf(scope),
        args: { ...roleArgsOf('Contributor'), principalType, scope },
        refs: { principalId: name },
      })),
    ],
  };
}

/** Returns `reservation-SUBSCRIPTION-GROUP-NAME`: names are unique only within their resource group. */
function reservationNameOf(id: string): string {
  const [, , subscription, , group, , , , name] = id.split('/');
  return ['reservation', subscription, group, name].join('-');
}

/** Plans the access of administrators to a cluster: its creator, and those that it declares. */
export function planAksAccess({ cluster }: AksContext) {
  const { name } = cluster.metadata;
  const args = roleArgsOf('ClusterAdmin');
  const declared = sortUnique(cluster.spec.cluster.aks?.admins ?? []);
  return [
    {
      name: CREATOR,
      args,
      refs: { scope: name },
      // A later run by another identity does not take the role away from the creator.
      options: { ignoreChanges: ['principalId'] },
    },
    ...declared.map((principalId) => ({
      name: principalId,
      args: { ...args, principalId },
      refs: { scope: name },
      options: {},
    })),
  ];
}
