import type { ModelCache } from '../api/model-cache';
import { cacheAccountNameOf } from '../manifest/kubernetes/object-names';

/**
 * The label with which pods get a token of Microsoft Entra ID for their ServiceAccount (Azure Workload Identity, "Labels
 * and annotations"). The webhook of AKS adds it to labelled pods only.
 */
export const WORKLOAD_IDENTITY_LABELS = { 'azure.workload.identity/use': 'true' } as const;

/** The annotation of a ServiceAccount with the client ID of its identity in Azure. */
export const CLIENT_ID_ANNOTATION = 'azure.workload.identity/client-id';

/** The labels of a pod that copies a cache: those of workload identity if it reads a container without a key. */
export function identityLabelsOf({ source, azureBlob }: ModelCache['spec']): Readonly<Record<string, string>> {
  return source === 'AzureBlob' && azureBlob?.secretRef === undefined ? WORKLOAD_IDENTITY_LABELS : {};
}

/** The ServiceAccount of the Job that copies a container: the declared one, or the one that has an identity made for it. */
export function blobAccountOf({ metadata, spec }: Pick<ModelCache, 'metadata' | 'spec'>): string | undefined {
  const { serviceAccountName, storageAccountId } = spec.azureBlob ?? {};
  return storageAccountId === undefined ? serviceAccountName : cacheAccountNameOf(metadata);
}
