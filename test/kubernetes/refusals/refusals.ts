import type { Fleet } from '../../../src/fleet/fleet';
import { type Client, type Doc, type KubeObject, ok } from '../harness/client';
import type { Kubelet } from '../harness/kubelet';
import { deviceClassesOf, nodeObjects } from '../harness/nodes';
import { onControlPlane } from '../harness/on-control-plane';
import { collection, pathOf } from '../harness/resources';
import type { Part, Report } from '../part';
import { openNamespace } from '../promises/site';
import { attempt } from '../promises/trial';
import { gpuClass, ourAnswer } from './ours';
import { type Row, ROWS } from './rows';

/** What Kubernetes accepts though it is wrong, we refuse at plan time. Each row shows both answers. */
export const refusals: Part = { name: 'refusals', run: () => onControlPlane(tryRows) };

const NAMESPACE = 'refusals';
const POOL = { 'fleetwright.dev/pool': 'p' };

async function tryRows(client: Client, { pods }: Kubelet): Promise<Report> {
  const nodeClass = gpuClass();
  const objects = [
    ...nodeObjects('node', nodeClass, { labels: POOL }),
    ...deviceClassesOf({ classes: [nodeClass] } as unknown as Fleet),
  ];
  for (const object of objects) ok(await client.post(collection(object), object), pathOf(object));
  await openNamespace(client, NAMESPACE);
  const failures: string[] = [];
  for (const [i, [name, row]] of Object.entries(ROWS).entries()) {
    const wrong = await tryRow(client, pods, row, i);
    if (wrong.length > 0) failures.push(`${name}: ${wrong.join('; ')}`);
  }
  const count = Object.keys(ROWS).length;
  return { figures: [`refusals: ${count - failures.length} of ${count} rows as expected`], failures };
}

async function tryRow(client: Client, pods: Kubelet['pods'], row: Row, i: number): Promise<string[]> {
  const { count, cel, ours, refused, pending, storedCount } = row;
  const failures: string[] = [];
  const expect = (what: string, got: string, want: RegExp | undefined): void => {
    const fine = want ? want.test(got) : got === '';
    if (!fine) failures.push(`${what}: ${got.slice(0, 300) || 'nothing'} (expected ${want ?? 'nothing'})`);
  };
  expect('we say', ourAnswer(row), ours);

  const template = claimTemplate(count, cel, i);
  const answer = await client.post(`${collection(template)}?dryRun=All`, template);
  const message = answer.status < 300 ? '' : String((answer.body as unknown as Doc)['message']);
  expect('the API server says', message, refused);
  if (message !== '' || refused) return failures;
  const stored = countOf(answer.body);
  if (stored !== (storedCount ?? count)) failures.push(`the API server keeps the count ${stored}`);

  const forms = [{ claimedAs: 'gpu.nvidia.com', count, selectors: [cel] }];
  const claims = [{ request: 'gpu', forms }];
  const how = { namespace: NAMESPACE, name: `row-${i}`, claims, pods: 1, nodeSelector: POOL };
  const verdict = await attempt(client, pods, how);
  expect('the scheduler says', verdict.bound === 1 ? '' : (verdict.message ?? ''), pending);
  return failures;
}

function claimTemplate(count: number, expression: string, i: number): KubeObject {
  const exactly = { deviceClassName: 'gpu.nvidia.com', count, selectors: [{ cel: { expression } }] };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: `template-${i}`, namespace: NAMESPACE },
    spec: { spec: { devices: { requests: [{ name: 'gpu', exactly }] } } },
  };
}

function countOf({ spec }: KubeObject): unknown {
  const inner = spec?.['spec'];
  const { devices } = inner as { devices: { requests: { exactly: { count: number } }[] } };
  return devices.requests[0]?.exactly.count;
}
