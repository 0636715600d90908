import { runtime } from '@pulumi/pulumi';
import { writeClusterFiles } from '../../src/files/write-cluster-files';
import { renderFleet } from '../../src/render/fleet';
import { formatRoutingFiles } from '../../src/routing/routing-document';
import type { StackPlan } from './plan-stack';

/**
 * Writes the manifests of all clusters of a stack to a folder, for a tool that applies them from git. A preview
 * writes nothing.
 *
 * @param out the folder, relative to the working directory
 */
export function writeManifests(
  { fleet, replicas, renderers, routing }: Pick<StackPlan, 'fleet' | 'replicas' | 'renderers' | 'routing'>,
  out = 'out',
): void {
  if (runtime.isDryRun()) return;
  const files = [...renderFleet(fleet, replicas, { renderers, routing }), ...formatRoutingFiles(routing)];
  writeClusterFiles(out, new Map(files));
}
