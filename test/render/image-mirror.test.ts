import { isAirGapped } from '../../src/api/image-names';
import { renderCluster } from '../../src/render/cluster';
import type { Renderer } from '../../src/render/renderer';
import { aCluster, type Doc } from '../api/build';
import { aReplica, EMPTY, gangWith, GKE, pods, withContainer } from './build';

const MIRROR = 'mirror.example.com/all';
const HUB = 'https://hub.example.com';
const apart = aCluster('apart', { pools: { h100: 2 }, mirror: { images: MIRROR, huggingFace: HUB } });

function imagesOf(pod: Doc): unknown[] {
  return [...(pod.containers as Doc[]), ...((pod.initContainers ?? []) as Doc[])].map(({ image }) => image);
}

const helped = withContainer({ image: 'vllm/vllm-openai:v1' });
const { spec } = helped.spec.template.spec.engines[0]!.members[0]!.template;
(spec as Doc).initContainers = [{ name: 'warm', image: 'busybox', env: [], resources: { requests: {}, limits: {} } }];

describe('on a cluster with a mirror', () => {
  test('every container of a pod has its image from there', () => {
    expect(imagesOf(pods(helped, { cluster: apart }).Standalone!.spec)).toEqual([
      `${MIRROR}/vllm/vllm-openai:v1`,
      `${MIRROR}/library/busybox`,
    ]);
    const { Leader, Worker } = pods(gangWith({ image: 'nvcr.io/nim/llama:1' }), { cluster: apart });
    expect([Leader, Worker].flatMap((pod) => imagesOf(pod!.spec))).toEqual([
      `${MIRROR}/nim/llama:1`,
      `${MIRROR}/nim/llama:1`,
    ]);
  });

  test('so do containers of other renderers, and nothing else changes', () => {
    const object = {
      apiVersion: 'house.example.com/v1',
      kind: 'Server',
      metadata: { name: 'a', namespace: 'ml', labels: { image: 'busybox' } },
      spec: {
        image: 'busybox',
        containers: 'none',
        list: [{ template: { containers: [{ image: 'busybox' }, { name: 'b' }] } }],
      },
    };
    const house: Renderer = { name: 'house', version: 1, reject: () => undefined, render: () => [object] };
    const replica = aReplica(helped, { cluster: apart });
    const made = renderCluster(apart, [replica], { fleet: EMPTY, renderers: [house] }).find(
      ({ kind }) => kind === 'Server',
    );
    const containers = [{ image: `${MIRROR}/library/busybox` }, { name: 'b' }];
    expect(made).toEqual({
      ...object,
      metadata: { ...object.metadata, annotations: { 'argocd.argoproj.io/sync-options': 'PruneLast=true' } },
      spec: { image: 'busybox', containers: 'none', list: [{ template: { containers } }] },
    });
  });

  test('engines ask its hub, before variables that may refer to it', () => {
    const own = [{ name: 'A', value: '$(HF_ENDPOINT)/x' }];
    const [engine] = pods(withContainer({ env: own }), { cluster: apart }).Standalone!.spec.containers;
    expect(engine.env).toEqual([{ name: 'HF_ENDPOINT', value: HUB }, ...own]);
  });

  test('engines ask the hub that their user names', () => {
    const own = [{ name: 'HF_ENDPOINT', value: 'https://other.example.com' }];
    const [engine] = pods(withContainer({ env: own }), { cluster: apart }).Standalone!.spec.containers;
    expect(engine.env).toEqual(own);
  });
});

test('without a mirror, images and variables stay as they are', () => {
  const { spec: pod } = pods(helped).Standalone!;
  expect(imagesOf(pod)).toEqual(['vllm/vllm-openai:v1', 'busybox']);
  expect(pod.containers[0]).not.toHaveProperty('env');
});

test('a mirror of images alone names no hub', () => {
  const cluster = aCluster('apart', { pools: { h100: 2 }, mirror: { images: MIRROR } });
  expect(pods(helped, { cluster }).Standalone!.spec.containers[0]).not.toHaveProperty('env');
});

test('a cluster with a mirror of anything reaches no internet', () => {
  expect(isAirGapped(GKE)).toBe(false);
  expect(isAirGapped(aCluster('apart', { mirror: { huggingFace: HUB } }))).toBe(true);
});
