import type { InferenceCluster } from '../api/inference-cluster';
import { sortedBy } from '../order';

/** What lets its bearer do anything on a cluster. */
const ADMIN = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';

/** Who may do anything on a cluster beside whoever makes it, whom EKS lets in by itself. */
export function eksAccess({ spec }: InferenceCluster, tags: Record<string, string>) {
  const principals = sortedBy(new Set(spec.cluster.eks?.admins), (arn) => arn);
  return principals.map((principalArn) => ({
    name: principalName(principalArn),
    args: { principalArn, tags },
    policy: { principalArn, policyArn: ADMIN, accessScope: { type: 'cluster' } },
  }));
}

/** `111122223333-role-deploy`: names are unique among the roles of an account, whatever their paths. */
function principalName(arn: string): string {
  const [account = '', resource = ''] = arn.split(':').slice(-2);
  const path = resource.split('/');
  return [account, path[0], path.at(-1)].join('-');
}
