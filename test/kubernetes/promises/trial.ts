import type { Claim } from '../../../src/scheduler/devices/pod-fit';
import { type Client, type KubeObject, ok } from '../harness/client';
import { concurrently } from '../harness/concurrently';
import { collection, pathOf } from '../harness/resources';
import { until } from '../harness/until';
import type { Watch } from '../harness/watch';
import { isRefused, scheduling } from './settle';

/** Pods to try: so many that claim the same, on nodes with a label. */
export interface Attempt {
  readonly namespace: string;
  readonly name: string;
  readonly claims: readonly Claim[];
  readonly pods: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
}

/** How an attempt went. */
export interface Verdict {
  readonly bound: number;

  /** The scheduler's message about one that it did not bind. */
  readonly message?: string;
}

/** Makes pods, waits until the scheduler has bound or refused each, and removes them again. */
export async function attempt(client: Client, watch: Watch, how: Attempt): Promise<Verdict> {
  const template = claimTemplate(how);
  const pods = Array.from({ length: how.pods }, (_, i) => pod(how, i));
  await client.post(collection(template), template);
  await concurrently(8, pods, async (pod) => ok(await client.post(collection(pod), pod), pathOf(pod)));
  const current = (): KubeObject[] =>
    pods.flatMap(({ metadata }) => watch.objects.get(`${metadata.namespace}/${metadata.name}`) ?? []);
  // What the scheduler has not looked at is no answer: a run that counted it as a refusal would have tried nothing.
  await until(
    `the scheduler has decided on ${how.namespace}/${how.name}`,
    () => current().length === pods.length && current().every(decided),
  );

  const seen = current();
  const refused = seen.find(({ spec }) => !spec?.['nodeName']);
  const verdict: Verdict = {
    bound: seen.filter(({ spec }) => spec?.['nodeName']).length,
    ...(refused && { message: scheduling(refused) }),
  };
  await concurrently(8, [...pods, template], (object) => client.delete(pathOf(object)));
  await until(`the pods of ${how.namespace}/${how.name} are gone`, () => current().length === 0);
  return verdict;
}

/** Whether the scheduler has bound a pod, or said why it does not. */
export function decided(pod: KubeObject): boolean {
  return Boolean(pod.spec?.['nodeName']) || isRefused(pod);
}

function claimTemplate({ namespace, name, claims }: Attempt): KubeObject {
  const requests = claims.map(({ request, forms }) => ({
    name: request,
    exactly: forms.map(({ claimedAs, count, selectors, capacity }) => ({
      deviceClassName: claimedAs,
      count,
      selectors: selectors.map((expression) => ({ cel: { expression } })),
      ...(capacity && { capacity: { requests: capacity } }),
    }))[0],
  }));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name, namespace },
    spec: { spec: { devices: { requests } } },
  };
}

function pod({ namespace, name, nodeSelector }: Attempt, i: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-${i}`, namespace },
    spec: {
      nodeSelector,
      tolerations: [{ operator: 'Exists' }],
      terminationGracePeriodSeconds: 0,
      containers: [
        { name: 'engine', image: 'registry.invalid/ollama:1', resources: { claims: [{ name: 'devices' }] } },
      ],
      resourceClaims: [{ name: 'devices', resourceClaimTemplateName: name }],
    },
  };
}
