import { servingObjects } from '../../../src/provision/releases/objects-without-chart';
import { aCluster } from '../../api/build';
import type { Client, KubeObject } from '../harness/client';
import { collection } from '../harness/resources';
import { type Faults, sendInAllWays } from './send';
import type { Tally } from './tally';

const install = { install: true };

/** A pool in which every field is set. */
const FULL = {
  selector: { matchLabels: { app: 'engine' } },
  targetPorts: [{ number: 8000 }, { number: 8001 }],
  appProtocol: 'kubernetes.io/h2c',
  endpointPickerRef: {
    group: 'apps.example.com',
    kind: 'Service',
    name: 'picker',
    port: { number: 9002 },
    failureMode: 'FailOpen',
  },
};

/** What is wrong with a pool, and what the API server says to it. */
const WRONG: Readonly<Record<string, { readonly change: object; readonly refused: RegExp }>> = {
  'one port twice': {
    change: { targetPorts: [{ number: 8000 }, { number: 8000 }] },
    refused: /port number must be unique/,
  },
  'more ports than eight': {
    change: { targetPorts: Array.from({ length: 9 }, (_, i) => ({ number: 8000 + i })) },
    refused: /targetPorts: Too many: 9: must have at most 8 items/,
  },
  'a port that is none': {
    change: { targetPorts: [{ number: 70000 }] },
    refused: /less than or equal to 65535/,
  },
  'pods with any labels': {
    change: { selector: { matchLabels: {} } },
    refused: /matchLabels.*should have at least 1 properties/,
  },
  'no pods': { change: { selector: undefined }, refused: /spec.selector: Required value/ },
  'a protocol that nobody knows': {
    change: { appProtocol: 'grpc' },
    refused: /appProtocol: Unsupported value: "grpc"/,
  },
  'a Service as its picker without a port': {
    change: { endpointPickerRef: { name: 'picker' } },
    refused: /port is required when kind is 'Service'/,
  },
  'a group that is no domain': {
    change: { endpointPickerRef: { ...FULL.endpointPickerRef, group: 'Apps_1' } },
    refused: /endpointPickerRef.group in body should match/,
  },
};

/** What a serving stack registers next to its releases is taken, and so are InferencePools, but for those that are wrong. */
export async function tryInferencePools(client: Client, tally: Tally): Promise<void> {
  const lab = aCluster('lab', { servingStack: { aiGateway: install, inferenceCrds: install } });
  const { selector, targetPorts } = FULL;
  const objects = [
    ...servingObjects(lab),
    aPool('full', FULL),
    aPool('small', { selector, targetPorts: targetPorts.slice(1) }),
  ];
  for (const object of objects) tally.sent(object.kind ?? '', await sendInAllWays(client, object));
  for (const name of Object.keys(WRONG)) tally.sent('wrong InferencePool', await refusal(client, name));
}

async function refusal(client: Client, name: string): Promise<Faults> {
  const { change, refused } = WRONG[name]!;
  const pool = aPool('wrong', { ...FULL, ...change });
  const { body } = await client.post(`${collection(pool)}?dryRun=All`, pool);
  const said = String((body as { message?: unknown }).message);
  return refused.test(said) ? [] : [`an InferencePool with ${name}: the API server says ${said.slice(0, 300)}`];
}

function aPool(name: string, spec: object): KubeObject {
  return {
    apiVersion: 'inference.networking.k8s.io/v1',
    kind: 'InferencePool',
    metadata: { name, namespace: 'default' },
    spec: { ...spec },
  };
}
