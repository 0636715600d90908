import { formatDecisiveReason, formatOtherReasons } from '../../../src/report/plan/shortfall-text';
import { ask, cluster, deployment, device, engine, nodeClass, run } from '../../scheduler/build';

const H100 = nodeClass('h100', device('gpu', { memory: '81559Mi' }));
const LEAST = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("24Gi")) >= 0';
const ASKING = deployment('ml/q', { engines: [engine('main', [ask('gpu', 1, LEAST)])] });

describe('the reason that decides', () => {
  const l4 = nodeClass('l4', device('gpu', { memory: '23034Mi' }));
  const resources = [H100, l4, cluster('eu', { full: 'h100 x 0', l4: 'l4 x 1' }), ASKING];
  const short = { ...run(resources).shortfalls[0]!, accepted: false };
  const [nodes, bound] = short.remedies;

  test('is the requirement that keeps a replica off places with room, where the cheapest change is of that', () => {
    expect(formatDecisiveReason({ ...short, remedies: [bound!, nodes!] })).toBe(
      'eu / l4 has room, but memory 23034Mi is less than 24Gi',
    );
  });

  test('is against the pool of the cheapest change, where that does not place all of them', () => {
    const remedies = [{ ...bound!, helps: 1 }, nodes!];
    expect(formatDecisiveReason({ ...short, missing: 2, remedies })).toBe('eu / l4: memory 23034Mi is less than 24Gi');
    expect(formatDecisiveReason({ ...short, remedies: [nodes!] })).toBe(
      'eu / full: needs 1 gpu on one node; the pool has no nodes',
    );
  });

  describe('is the lack of room, although more pools do not match', () => {
    const more = [H100, l4, cluster('eu', { full: 'h100 x 0', l4: 'l4 x 1' }), cluster('us', { l4: 'l4 x 1' })];
    const most = { ...run([...more, ASKING]).shortfalls[0]!, accepted: false };
    const move = { kind: 'move', moves: [] } as const;
    const added = most.remedies.find(({ kind }) => kind === 'nodes')!;
    const want = 'eu / full: needs 1 gpu on one node; the pool has no nodes';

    test('where the first change is a move, and a later one is of that pool', () => {
      expect(formatDecisiveReason({ ...most, remedies: [move, added] })).toBe(want);
    });

    test('where no change is known', () => {
      expect(formatDecisiveReason({ ...most, remedies: [] })).toBe(want);
    });

    test('and of other clusters it says where free devices are in pieces', () => {
      const full = most.rejections.find(({ reason }) => reason.filter === 'capacity')!;
      const split = { ...full.reason, packs: true, nodes: 2, free: 8 } as typeof full.reason;
      const rejections = [...most.rejections, { ...full, cluster: 'asia', reason: split }];
      expect(formatOtherReasons({ ...most, rejections, remedies: [] })).toBe(
        'us: memory 23034Mi is less than 24Gi; asia: free devices may be on different nodes',
      );
    });
  });

  test('is against the pool that they lose, where its new devices do not match', () => {
    expect(formatDecisiveReason({ ...short, remedies: [nodes!] }, ['eu / l4'])).toBe(
      'eu / l4: memory 23034Mi is less than 24Gi',
    );
  });
});
