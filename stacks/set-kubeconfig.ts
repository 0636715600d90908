/** The command that gives a stack the kubeconfig of a cluster, as messages quote it. */
export function setKubeconfig(cluster: string): string {
  return `'pulumi config set --secret --path fleetwright:kubeconfigs.${cluster} < KUBECONFIG'`;
}
