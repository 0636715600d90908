import { cloudName } from './cloud-names';
import type { GkeSite } from './gke-network';

/** The longest ID of a service account (IAM). */
const LONGEST = 30;

/**
 * What nodes may do: write logs and metrics, and read images (GKE hardening guide). The default account of Compute
 * Engine could change the whole project.
 */
const ROLES = [
  'roles/artifactregistry.reader',
  'roles/logging.logWriter',
  'roles/monitoring.metricWriter',
  'roles/monitoring.viewer',
  'roles/stackdriver.resourceMetadata.writer',
];

/** The address of the account that nodes run as. */
export function nodeAccountEmail({ cluster, project }: GkeSite): string {
  // A project of an organisation's own domain, 'example.com:chat', is turned around.
  const domain = project.split(':').reverse().join('.');
  return `${accountId({ cluster })}@${domain}.iam.gserviceaccount.com`;
}

/** The account that nodes run as, and its roles. */
export function nodeAccount(site: GkeSite) {
  const { cluster, project } = site;
  const id = accountId(site);
  const member = `serviceAccount:${nodeAccountEmail(site)}`;
  return {
    account: {
      name: id,
      args: { accountId: id, project, displayName: `Nodes of the cluster ${cluster.metadata.name}` },
    },
    roles: ROLES.map((role) => ({ name: role.split('/')[1] ?? role, args: { project, role, member } })),
  };
}

function accountId({ cluster }: Pick<GkeSite, 'cluster'>): string {
  return cloudName([cluster.metadata.name, 'nodes'], LONGEST);
}
