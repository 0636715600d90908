import { splitBlobAddress } from '../../api/cache/source';
import { blobAccountOf } from '../../replicas/azure-blob';
import { type CachingFleet, listPossibleCaches } from '../cache-drivers';
import { roleArgsOf } from './access';
import type { AksContext } from './network';

/** The audience of tokens that Microsoft Entra ID exchanges (Azure Workload Identity, "Federated identity credential"). */
const AUDIENCE = 'api://AzureADTokenExchange';

/**
 * Plans an identity for the staging Job of each cache that names its storage account and may be on the cluster. It reads
 * one container, and only pods of the ServiceAccount of the cache can use it. Placements do not matter, so a change of
 * the lock changes no identity.
 */
export function planCacheIdentities({ cluster, location, resourceGroupName, tags }: AksContext, fleet: CachingFleet) {
  return listPossibleCaches(cluster, fleet).flatMap(({ metadata, spec }) => {
    const { storageAccountId, uri = '' } = spec.azureBlob ?? {};
    const account = blobAccountOf({ metadata, spec });
    if (storageAccountId === undefined || account === undefined) return [];
    const { namespace = 'default' } = metadata;
    const resourceName = `${cluster.metadata.name}-${account}`;
    const { container } = splitBlobAddress(uri);
    const scope = `${storageAccountId}/blobServices/default/containers/${container}`;
    return [
      {
        /** The ServiceAccount of the Job, as in `ml/qwen3-reader-1a2b3`. */
        account: { namespace, name: account },
        identity: { name: account, args: { resourceGroupName, resourceName, location, tags } },
        credential: {
          name: account,
          args: {
            resourceGroupName,
            resourceName,
            federatedIdentityCredentialResourceName: account,
            audiences: [AUDIENCE],
            subject: `system:serviceaccount:${namespace}:${account}`,
          },
          refs: { issuer: cluster.metadata.name },
        },
        role: {
          name: account,
          args: { ...roleArgsOf('BlobDataReader'), principalType: 'ServicePrincipal', scope },
          refs: { principalId: account },
        },
      },
    ];
  });
}
