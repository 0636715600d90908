/** Whether a value is a text that says nothing, as that of a file which a failed command left behind. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** The command that gives a stack the kubeconfig of a cluster, as messages quote it. */
export function formatSetKubeconfig(cluster: string): string {
  return `'pulumi config set --secret --path fleetwright:kubeconfigs.${cluster} < KUBECONFIG'`;
}
