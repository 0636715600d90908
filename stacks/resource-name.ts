/**
 * The name of a resource of a cluster: `us_l4`. No name of a cluster has an underscore, so that those of two clusters
 * never meet, and every cloud takes one where Pulumi makes its names from ours.
 */
export function resourceName(cluster: string, part: string): string {
  return `${cluster}_${part}`;
}
