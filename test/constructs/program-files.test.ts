import { join } from 'node:path';
import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster, ModelDeployment } from '../../constructs/index';
import { gpu } from '../../src/index';
import { Workspace } from '../cli/cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

/** A fleet of two clusters of a house, whose machines only its own catalog knows, and a model that goes where it is cheapest. */
function placed(prices: string, rule = 'moves: { most: 5 }'): string[] {
  work.write({
    'policy.yaml': `rules:\n  - { name: house, ${rule} }\n`,
    'catalogue.yaml': `instanceTypes:
  - { name: house/a, gpu: l40s, gpus: 4, cpu: 64, memoryGiB: 512, source: our racks, asOf: 2026-11-01 }
`,
    'prices.yaml': prices,
  });
  const fleet = new Fleet(new App(), 'fleet', {
    catalogue: join(work.root, 'catalogue.yaml'),
    prices: join(work.root, 'prices.yaml'),
    policies: join(work.root, 'policy.yaml'),
  });
  const l40s = new InferenceClass(fleet, 'l40s', { from: 'house/a' });
  for (const region of ['berlin', 'oslo']) {
    new InferenceCluster(fleet, region, {
      labels: { 'topology.kubernetes.io/region': region },
      cluster: { source: 'Existing', existing: { secretRef: { name: region } } },
      nodePools: [{ name: 'l40s', className: l40s, nodeCount: 1 }],
    });
  }
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-8B'] } as const;
  new ModelDeployment(fleet, 'q', {
    replicas: 1,
    placement: { policy: 'Cheapest' },
    engines: [
      {
        name: 'vllm',
        members: [
          {
            nodeSelector: { devices: [{ name: 'gpu', selectors: [gpu.memory.atLeast('40Gi')] }] },
            template: { spec: { containers: [container] } },
          },
        ],
      },
    ],
  });
  return fleet.place({ lock: 'ephemeral' }).lock.placements.map(({ cluster }) => cluster);
}

const price = (region: string, perHour: number): string =>
  `  - { instanceType: house/a, region: ${region}, perHour: ${perHour}, source: accounts, asOf: 2026-10-31 }\n`;

test('a program names a catalog and prices as a directory does', () => {
  expect(placed(`prices:\n${price('berlin', 4)}${price('oslo', 3)}`)).toEqual(['oslo']);
  expect(placed(`prices:\n${price('berlin', 2)}${price('oslo', 3)}`)).toEqual(['berlin']);
});

test('a file that is wrong stops it, with the place in the file', () => {
  expect(() => placed(`prices:\n${price('berlin', -4)}`)).toThrow(
    /prices\.yaml:2:\d+: -4 is less than the minimum of 0\. Use at least 0\./,
  );
});

test('a rule that denies the plan stops it, with the place of what it denies', () => {
  const prices = `prices:\n${price('berlin', 4)}${price('oslo', 3)}`;
  expect(() => placed(prices, 'pinnedImages: true')).toThrow(
    "fleet/q engines[0].members[0].template.spec.containers[0].image: container engine of default/q runs vllm/vllm-openai:v0.23.0, without a digest. Change the fleet, or rule 'house', which denies the plan.",
  );
  expect(placed(prices, 'pinnedImages: true, effect: Warn')).toEqual(['oslo']);
});
