import type { Resource } from '../../src/api/kinds';
import { findOutages } from '../../src/diff/fleet-diff';
import { formatOutage } from '../../src/report/diff/outage-sentences';
import { diffBlocks } from '../../src/report/diff/diff-text';
import { terminalLines } from '../../src/report/document/write-terminal';
import { aClass, aCluster, aDeployment, aMember, anEngine, type Doc } from '../api/build';
import { diff } from './build';

const H100 = aClass('h100');
const us = (more: Doc = {}, nodes = 4): Resource => aCluster('us', { pools: { h100: nodes }, monitoring: {}, ...more });
const eu = aCluster('eu', { pools: { h100: 4 } });

/** A deployment of one engine that takes a node, run by an image. */
function q(options: Doc & { image?: string; copies?: number | { min: number; max: number } } = {}): Resource {
  const { image = 'vllm/vllm-openai:v0.11.0', copies = 1, ...more } = options;
  const container = { name: 'engine', image, args: ['Qwen/Qwen3-8B'] };
  const member = aMember({ gpus: 8, template: { spec: { containers: [container] } } });
  const scaling = typeof copies === 'object' && { scaling: { on: [{ queue: 4 }] } };
  return aDeployment('ml/q', { engines: [{ name: 'main', copies, ...scaling, members: [member] }], ...more });
}

const fleet = (...more: Resource[]): Resource[] => [H100, us(), ...more];

/** The lines about declarations and replicas. */
function lines(before: Resource[], after: Resource[]): string[] {
  const all = terminalLines(diffBlocks(diff(before, after)));
  return all.filter((line) => /^ {2}(ml\/|[~+-])|^ {4}[=~+>-] \w+\/\d|^ {6}\w/.test(line)).map((line) => line.trim());
}

describe('what happens to replicas, and because of which line', () => {
  const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
    'nothing, where nothing changed': { before: fleet(q()), after: fleet(q()), want: [] },
    'nothing, where only defaults are written out': {
      before: fleet(q()),
      after: fleet(q({ priority: 0, replicas: 1 })),
      want: [],
    },
    'more replicas are placed': {
      before: fleet(q()),
      after: fleet(q({ replicas: 2 })),
      want: [
        '~ ModelDeployment ml/q   ModelDeployment ml/q',
        'spec.replicas: 1 -> 2   ModelDeployment ml/q spec.replicas',
        'ml/q   1 -> 2 replicas; at least 1 serves during rollout',
        '+ us/1   placed; because ModelDeployment ml/q spec.replicas: 1 -> 2 (ModelDeployment ml/q spec.replicas)',
      ],
    },
    'fewer are removed': {
      before: fleet(q({ replicas: 2 })),
      after: fleet(q()),
      want: [
        '~ ModelDeployment ml/q   ModelDeployment ml/q',
        'spec.replicas: 2 -> 1   ModelDeployment ml/q spec.replicas',
        'ml/q   2 -> 1 replica; at least 1 serves during rollout',
        '- us/1   removed, the deployment has fewer replicas; because ModelDeployment ml/q spec.replicas: 2 -> 1 (ModelDeployment ml/q spec.replicas)',
      ],
    },
    'a deployment that is new': {
      before: fleet(),
      after: fleet(q()),
      want: [
        '+ ModelDeployment ml/q   ModelDeployment ml/q',
        'ml/q   0 -> 1 replica',
        '+ us/0   placed; because ModelDeployment ml/q is new (ModelDeployment ml/q )',
      ],
    },
    'a deployment that is gone': {
      before: fleet(q()),
      after: fleet(),
      want: [
        '- ModelDeployment ml/q   ModelDeployment ml/q',
        'ml/q   1 -> 0 replicas',
        '- us/0   removed, the deployment is removed; because ModelDeployment ml/q is gone (ModelDeployment ml/q )',
      ],
    },
    'another image rolls replicas where they are, wave by wave': {
      before: fleet(q({ replicas: 2 })),
      after: fleet(q({ replicas: 2, image: 'vllm/vllm-openai:v0.12.0' })),
      want: [
        '~ ModelDeployment ml/q   ModelDeployment ml/q',
        'spec.template.spec.engines[main].members[0].template.spec.containers[engine].image: vllm/vllm-openai:v0.11.0 -> vllm/vllm-openai:v0.12.0   ModelDeployment ml/q spec.template.spec.engines.0.members.0.template.spec.containers.0.image',
        'ml/q   2 replicas; at least 1 serves during rollout, 0 where all are replaced at once',
        '~ us/0   rolled in place, wave 1, stops before its replacement serves; because ModelDeployment ml/q containers[engine].image: vllm/vllm-openai:v0.11.0 -> vllm/vllm-openai:v0.12.0 (ModelDeployment ml/q spec.template.spec.engines.0.members.0.template.spec.containers.0.image)',
        '~ us/1   rolled in place, wave 2, stops before its replacement serves; because ModelDeployment ml/q containers[engine].image: vllm/vllm-openai:v0.11.0 -> vllm/vllm-openai:v0.12.0 (ModelDeployment ml/q spec.template.spec.engines.0.members.0.template.spec.containers.0.image)',
      ],
    },
    'a cluster that is gone, and where its replica goes': {
      before: fleet(q()),
      after: [H100, eu, q()],
      want: [
        '+ InferenceCluster eu   InferenceCluster eu',
        '- InferenceCluster us   InferenceCluster us',
        'ml/q   1 replica; at least 0 serve during rollout, down for about 2 to 17 minutes',
        '> eu/0   moved from us/0, with downtime: the cluster is removed; draining it first avoids downtime; because InferenceCluster us is gone (InferenceCluster us )',
      ],
    },
    'a drained cluster leaves replicas serving until they are finalized': {
      before: [H100, us(), eu, q({ clusterSelector: { matchLabels: {} } })],
      after: [H100, us(), aCluster('eu', { pools: { h100: 4 }, taints: [{ key: 'drain', effect: 'NoExecute' }] }), q()],
      want: [
        '~ InferenceCluster eu   InferenceCluster eu',
        'spec.taints[0]: {"key":"drain","effect":"NoExecute"}, new   InferenceCluster eu spec.taints.0',
        'ml/q   1 replica; at least 1 serves during rollout',
        '> us/0   moved from eu/0, serving until it is finalized: the taint drain:NoExecute is not tolerated; because InferenceCluster eu spec.taints[0]: {"key":"drain","effect":"NoExecute"}, new (InferenceCluster eu spec.taints.0)',
      ],
    },
    'another shape is placed first, and the old one leaves': {
      before: fleet(q()),
      after: fleet(q({ copies: 2 })),
      want: [
        '~ ModelDeployment ml/q   ModelDeployment ml/q',
        'spec.template.spec.engines[main].copies: 1 -> 2   ModelDeployment ml/q spec.template.spec.engines.0.copies',
        'ml/q   1 replica; at least 1 serves during rollout',
        '> us/1   moved from us/0, serving until it is finalized: its engines changed; because ModelDeployment ml/q engines[main].copies: 1 -> 2 (ModelDeployment ml/q spec.template.spec.engines.0.copies)',
      ],
    },
    'room that another deployment leaves is no change of its own': {
      before: [
        H100,
        us({}, 1),
        aDeployment('ml/a', { engines: [anEngine('main', { gpus: 8 })] }),
        q({ allowPartial: true }),
      ],
      after: [H100, us({}, 1), q({ allowPartial: true })],
      want: [
        '- ModelDeployment ml/a   ModelDeployment ml/a',
        'ml/a   1 -> 0 replicas',
        '- us/0   removed, the deployment is removed; because ModelDeployment ml/a is gone (ModelDeployment ml/a )',
        'ml/q   0 -> 1 replica',
        '+ us/0   placed',
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(lines(before, after)).toEqual(want);
  });
});

describe('a deployment without any replica during rollout', () => {
  const image = 'vllm/vllm-openai:v0.12.0';
  const cases: Record<string, { before: Doc; after: Doc; waves?: boolean; want: boolean }> = {
    'is reported where the only replica is replaced': { before: {}, after: { image }, want: true },
    'is none where two are replaced one after the other': {
      before: { replicas: 2 },
      after: { replicas: 2, image },
      want: false,
    },
    'is one where nothing waits between waves': {
      before: { replicas: 2 },
      after: { replicas: 2, image },
      waves: false,
      want: true,
    },
    'is one where all are one wave': {
      before: { replicas: 2, rollout: { parallel: 2 } },
      after: { replicas: 2, rollout: { parallel: 2 }, image },
      want: true,
    },
    'is none with a surge': {
      before: { rollout: { surge: 1 } },
      after: { rollout: { surge: 1 }, image },
      want: false,
    },
    'is none with a second copy': { before: { copies: 2 }, after: { copies: 2, image }, want: false },
    'is none where an autoscaler keeps two copies': {
      before: { copies: { min: 2, max: 4 } },
      after: { copies: { min: 2, max: 4 }, image },
      want: false,
    },
    'is one where an autoscaler adds the second copy only with the change': {
      before: { copies: { min: 1, max: 4 } },
      after: { copies: { min: 2, max: 4 }, image },
      want: true,
    },
    'is what Recreate asks for': {
      before: { rollout: 'Recreate' },
      after: { rollout: 'Recreate', image },
      want: false,
    },
    'is none where there was none before': { before: { replicas: 0 }, after: { image }, want: false },
    'is none where none is wanted': { before: {}, after: { replicas: 0 }, want: false },
  };
  test.each(Object.entries(cases))('%s', (_, { before, after, waves = true, want }) => {
    const found = findOutages(diff(fleet(q(before)), fleet(q(after))), waves ? 'withWaves' : 'atOnce');
    expect(found.map(({ deployment }) => deployment)).toEqual(want ? ['ml/q'] : []);
    for (const one of found) expect(formatOutage(one)).toMatch(/^ml\/q has no serving replica/);
  });
});

/** What happens to objects, with the fields that change. */
function objects(before: Resource[], after: Resource[]): string[] {
  return diff(before, after).objects.map(({ action, kind, fields }) =>
    `${action} ${kind} ${fields.map(({ field }) => field).join(' ')}`.trim(),
  );
}

describe('what happens to objects', () => {
  test('those of clusters to which nothing happens are not even made', () => {
    expect(
      diff([...fleet(q()), eu], [...fleet(q({ replicas: 2 })), eu]).objects.map(({ cluster }) => cluster),
    ).not.toContain('eu');
  });

  test('a change names the field', () => {
    expect(objects(fleet(q()), fleet(q({ image: 'vllm/vllm-openai:v0.12.0' })))).toEqual([
      'change Deployment spec.template.spec.containers[engine].image',
    ]);
  });

  test('a label of pods that only others read is a change of the objects alone', () => {
    const labelled = fleet(q({ replicaLabels: { team: 'a' } }));
    expect(objects(fleet(q()), labelled).length).toBeGreaterThan(0);
  });

  test('what is new is created, what is gone deleted', () => {
    const [made, gone] = [objects(fleet(), fleet(q())), objects(fleet(q()), fleet())];
    expect(made).toContain('create Deployment');
    expect(gone).toEqual(made.map((line) => line.replace('create', 'delete')));
  });
});
