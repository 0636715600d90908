/** Whether a value is an empty text, for example the content of a file that a failed command wrote. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** Formats the command that sets the kubeconfig of a cluster for a stack, as messages quote it. */
export function formatSetKubeconfig(cluster: string): string {
  return `'pulumi config set --secret --path fleetwright:kubeconfigs.${cluster} < KUBECONFIG'`;
}
