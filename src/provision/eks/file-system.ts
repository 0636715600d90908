import type { InferenceCluster } from '../../api/inference-cluster';
import { SHARED_STORAGE_CLASS } from '../../fleet/hardware/shared-storage';
import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import { eksSubnetsOf } from './network';
import { CLUSTER_SECURITY_GROUP } from './node-pool';

const NFS = 2049;

/** Plans the file system of all nodes of an EKS cluster. Returns undefined if the cluster names a storage class. */
export function planEksFileSystem(cluster: InferenceCluster, tags: Record<string, string>) {
  if (cluster.spec.storage.sharedFilesystem?.storageClassName !== undefined) return undefined;
  const description = `Nodes of ${cluster.metadata.name} reach its file system`;
  return {
    fileSystem: { name: 'shared', args: { encrypted: true, throughputMode: 'elastic', tags } },
    securityGroup: { name: 'efs', args: { description, tags }, refs: { vpcId: 'vpc' } },
    ingress: {
      name: 'efs',
      args: { ipProtocol: 'tcp', fromPort: NFS, toPort: NFS, tags },
      refs: { securityGroupId: 'efs', referencedSecurityGroupId: CLUSTER_SECURITY_GROUP },
    },
    mountTargets: eksSubnetsOf(cluster).private.map(({ name }) => ({
      name,
      args: {},
      refs: { fileSystemId: 'shared', subnetId: name, securityGroups: ['efs'] },
    })),
    /** The parameter `fileSystemId` is added after the file system is created. */
    manifest: {
      apiVersion: 'storage.k8s.io/v1' as const,
      kind: 'StorageClass' as const,
      metadata: { name: SHARED_STORAGE_CLASS, labels: MANAGED_BY },
      provisioner: 'efs.csi.aws.com',
      parameters: { provisioningMode: 'efs-ap', directoryPerms: '700' },
      volumeBindingMode: 'Immediate',
    },
  };
}
