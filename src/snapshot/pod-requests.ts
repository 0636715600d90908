import { parseQuantity } from '../cel/values/quantity';
import { parseResources, type ResourceName } from '../scheduler/compile/resource-requests';
import type { RecordedPod } from './recorded-objects';

type Container = RecordedPod['spec']['containers'][number];

/**
 * What a pod takes of its node, as the cluster's scheduler counts it: what its containers request together, or
 * the largest step of its start where that is more, plus the overhead of its runtime.
 */
export function sumPodRequests({ spec }: RecordedPod, resource: ResourceName): number {
  const own = parseResources(spec.resources.requests)[resource];
  const overhead = parseResources(spec.overhead)[resource] ?? 0;
  return (own ?? sumContainerRequests(spec, resource)) + overhead;
}

/** Sidecars are init containers that go on: they add to what runs, and to the steps after them. */
function sumContainerRequests(
  { containers, initContainers }: RecordedPod['spec'],
  resource: ResourceName,
): number {
  const amount = ({ resources }: Container): number => parseResources(resources.requests)[resource] ?? 0;
  let sidecars = 0;
  let peak = 0;
  for (const container of initContainers) {
    peak = Math.max(peak, sidecars + amount(container));
    if (container.restartPolicy === 'Always') sidecars += amount(container);
  }
  const running = containers.reduce((sum, container) => sum + amount(container), sidecars);
  return Math.max(running, peak);
}

/** Whether a pod has devices to itself: by claims, or by extended resources of a device plugin. */
export function holdsDevices({ spec }: RecordedPod): boolean {
  const { containers, initContainers, resources, resourceClaims } = spec;
  const requests = [resources, ...[...containers, ...initContainers].map((one) => one.resources)];
  return (
    resourceClaims.length > 0 || requests.some((one) => Object.entries(one.requests).some(isExtendedResource))
  );
}

/** Extended resources carry a domain; those of Kubernetes itself do not. */
function isExtendedResource([name, amount]: [string, string]): boolean {
  return name.includes('/') && parseQuantity(amount).sign() > 0;
}
