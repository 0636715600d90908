import { attempt } from '../../src/base/attempt';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatRejectionReason } from '../../src/plan/rejection-messages';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, type ClusterOptions, aDeployment, aMember, byPath, gpus, request } from '../api/build';

const CLASSES = [
  aClass('l4', { devices: [gpus(8, { memory: '23034Mi', architecture: 'Ada Lovelace' })] }),
  aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] }),
];

/** Where replicas of 8 GPUs go that match every pool, and why no more have a place. */
function placesOf(
  args: string[],
  pools: Required<ClusterOptions>['pools'],
  more: { replicas?: number; group?: 'modelplane.ai' } = {},
) {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const member = aMember({ devices: [request('gpu', 8, 'true')], template: { spec: { containers: [container] } } });
  const deployment = aDeployment('ml/chat', { ...more, engines: [{ name: 'main', members: [member] }] });
  const fleet = assemble([...CLASSES, aCluster('d', { pools }), deployment]);
  const { placements, shortfalls } = decide(fleet, byPath, EMPTY_LOCK).schedule;
  return {
    pools: placements.map(({ pools: taken }) => taken['main']),
    reasons: shortfalls.flatMap(({ rejections }) => rejections.map(formatRejectionReason)),
  };
}

const LONG = ['Qwen/Qwen3-32B', '--max-model-len=24576', '-tp=1'];

describe('an engine goes to GPUs that hold its model', () => {
  test('though smaller ones match and are preferred', () => {
    expect(placesOf(['Qwen/Qwen3-8B', '--max-model-len=8192'], { l4: 1, h100: 1 }).pools).toEqual(['l4']);
    expect(placesOf(LONG, { l4: 1, h100: 1 })).toEqual({ pools: ['h100'], reasons: [] });
  });

  test('but not in the alias group, whose replicas go where other tools place them', () => {
    expect(placesOf(LONG, { l4: 1, h100: 1 }, { group: 'modelplane.ai' }).pools).toEqual(['l4']);
  });

  test('and a replica without a place says what the others lack', () => {
    const { pools, reasons } = placesOf(LONG, { l4: 1, h100: 1 }, { replicas: 2 });
    expect(pools).toEqual(['h100']);
    expectTexts(reasons, [
      /all its 8 devices are in use/,
      /^weights of 61\.0 GiB on 1 x l4 of 22\.0 GiB: the engine does not start\. The pod claims 8 GPUs/,
    ]);
  });

  test('and where none does, the error is about those with the most memory', () => {
    const longer = ['Qwen/Qwen3-32B', '--max-model-len=131072', '-tp=1'];
    const taken = attempt(() =>
      placesOf(longer, { a: { className: 'l4', nodeCount: 1 }, b: { className: 'h100', nodeCount: 1 } }),
    );
    expectTexts('problems' in taken ? taken.problems.map(formatDiagnostic) : [], [
      /args\.1: one request of 131,072 tokens does not fit on 1 x h100 of 79\.2 GiB, so the engine does not start\. The pod claims 8 GPUs/,
    ]);
  });
});

function expectTexts(texts: readonly string[], want: readonly RegExp[]): void {
  expect(texts).toEqual(want.map((one) => expect.stringMatching(one) as unknown));
}
