import { parseQuantity } from '../cel/values/quantity';
import { parseResources, type ResourceName } from '../scheduler/compile/resource-requests';
import type { RecordedPod } from './recorded-objects';

type Container = RecordedPod['spec']['containers'][number];

/**
 * The amount of a resource that a pod takes of its node, by the rules of the cluster's scheduler: the sum of its
 * containers, or the largest step of its start if that is more, plus the overhead of its runtime.
 */
export function sumPodRequests({ spec }: RecordedPod, resource: ResourceName): number {
  const declared = parseResources(spec.resources.requests)[resource];
  const overhead = parseResources(spec.overhead)[resource] ?? 0;
  return (declared ?? sumContainerRequests(spec, resource)) + overhead;
}

/** Sidecars are init containers that keep running: they add to the sum, and to the steps after them. */
function sumContainerRequests({ containers, initContainers }: RecordedPod['spec'], resource: ResourceName): number {
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

/** Whether a pod holds devices: by claims, or by extended resources of a device plugin. */
export function holdsDevices(pod: RecordedPod): boolean {
  return pod.spec.resourceClaims.length > 0 || listExtendedRequests(pod).length > 0;
}

/** The requests of a pod for extended resources, with their amounts. A container that has ended holds them too. */
export function listExtendedRequests({ spec }: RecordedPod): [resource: string, amount: string][] {
  const { containers, initContainers, resources } = spec;
  const requests = [resources, ...[...containers, ...initContainers].map((container) => container.resources)];
  return requests.flatMap((resource) => Object.entries(resource.requests).filter(isExtendedResource));
}

/** Extended resources have a domain; the resources of Kubernetes itself do not. */
function isExtendedResource([name, amount]: [string, string]): boolean {
  return name.includes('/') && parseQuantity(amount).sign() > 0;
}
