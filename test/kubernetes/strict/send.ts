import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { driftOf } from '../../../src/live/status/drift';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { Answer, Client, KubeObject } from '../harness/client';
import { collection, pathOf } from '../harness/resources';
import { lost } from './lost';

/** What is wrong with an object, as the API server sees it. Empty: nothing. */
export type Faults = readonly string[];

/** What a stricter policy would say of pods is counted where the pods themselves are tried. */
const POLICY = /would violate PodSecurity/;

/** Sends an object in all ways in which users do, and compares what comes back with what was sent. */
export async function sendInAllWays(client: Client, object: KubeObject): Promise<Faults> {
  const strict = await client.post(`${collection(object)}?fieldValidation=Strict&dryRun=All`, object);
  // The first apply of a second run finds the object there.
  if (strict.status !== 201 && strict.status !== 409) return [`${name(object)}: ${words(strict.body)}`];
  return [...warnings(object, strict), ...(await applyTwice(client, object))];
}

/** Applies an object, and compares what comes back with what was sent. */
export async function applyOnce(client: Client, object: KubeObject): Promise<Faults> {
  const answer = await apply(client, object);
  return answer.status < 300
    ? [...warnings(object, answer), ...differences(object, answer.body)]
    : [`${name(object)}: apply: ${words(answer.body)}`];
}

function apply(client: Client, object: KubeObject): Promise<Answer> {
  return client.apply(pathOf(object), object, '&fieldValidation=Strict');
}

function warnings(object: KubeObject, { warning }: Answer): Faults {
  return warning === undefined || POLICY.test(warning) ? [] : [`${name(object)}: warning: ${warning}`];
}

/** Kinds whose first update stores them once more as they are: a status by default is not in the first. */
const STORED_TWICE: ReadonlySet<string> = new Set(['Gateway', 'GatewayClass', 'PersistentVolumeClaim']);

/** Applies an object, and again, which must change nothing. */
export async function applyTwice(client: Client, object: KubeObject): Promise<Faults> {
  const first = await apply(client, object);
  if (first.status >= 300) return [`${name(object)}: apply: ${words(first.body)}`];
  const before = STORED_TWICE.has(object.kind ?? '') ? await apply(client, object) : first;
  const second = await apply(client, object);
  const changed = before.body.metadata.resourceVersion !== second.body.metadata.resourceVersion;
  return [...(changed ? [`${name(object)}: a second apply changes it`] : []), ...differences(object, second.body)];
}

function differences(sent: KubeObject, stored: KubeObject): Faults {
  return [
    ...lost(sent, stored, '').map((path) => `${name(sent)}: ${path} did not come back as it was sent`),
    ...drifted(sent, stored),
  ];
}

/** What `fleetwright status` would say of an object that no one has touched: nothing. */
function drifted(sent: KubeObject, stored: KubeObject): Faults {
  const drift = driftOf(sent as unknown as Manifest, stored as unknown as LiveObject);
  return (drift?.fields ?? []).map(({ field }) => `${name(sent)}: status takes ${field} for changed`);
}

/** Tries whether a pod would be let in. Returns what a stricter policy would have said. */
export async function tryPod(client: Client, pod: KubeObject): Promise<{ faults: Faults; warning?: string }> {
  const answer = await client.post(`${collection(pod)}?fieldValidation=Strict&dryRun=All`, pod);
  if (answer.status !== 201) return { faults: [`${name(pod)}: ${words(answer.body)}`] };
  const missing = lost(pod, answer.body, '').map((path) => `${name(pod)}: ${path} did not come back`);
  return { faults: missing, ...(answer.warning !== undefined && { warning: answer.warning }) };
}

function name({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function words(body: unknown): string {
  return (body as { message?: string }).message ?? JSON.stringify(body).slice(0, 500);
}
