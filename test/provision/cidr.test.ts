import { assert, integer, nat, pre, property, tuple } from 'fast-check';
import { aligned, contains, overlap, parseCidr, partOf, sizeOf, textOf } from '../../src/provision/cidr';
import { gkeRanges } from '../../src/provision/gke-network';
import { aFleet } from './build';

const cidrs = tuple(nat({ max: 2 ** 32 - 1 }), integer({ min: 0, max: 32 })).map(([base, prefix]) =>
  aligned({ base, prefix }),
);

test('a range reads as it was written', () => {
  assert(property(cidrs, (cidr) => expect(parseCidr(textOf(cidr))).toEqual(cidr)));
});

test('parts of a range fill it and do not overlap', () => {
  assert(
    property(cidrs, integer({ min: 0, max: 3 }), (cidr, bits) => {
      pre(cidr.prefix + bits <= 32);
      const parts = Array.from({ length: 2 ** bits }, (_, index) => partOf(cidr, bits, index));
      expect(parts.reduce((sum, part) => sum + sizeOf(part), 0)).toBe(sizeOf(cidr));
      expect(parts.every((part) => contains(cidr, part) && aligned(part).base === part.base)).toBe(true);
      expect(parts.some((a, i) => parts.some((b, j) => i < j && overlap(a, b)))).toBe(false);
    }),
  );
});

test('of two ranges that overlap one holds the other', () => {
  assert(property(cidrs, cidrs, (a, b) => expect(overlap(a, b)).toBe(contains(a, b) || contains(b, a))));
});

test('nodes, services and pods fill the range of a cluster and do not overlap', () => {
  assert(
    property(cidrs, (cidr) => {
      pre(cidr.prefix <= 30);
      const { cluster } = aFleet('GKE', { cluster: { network: { cidr: textOf(cidr) } } });
      const { nodes, services, pods } = gkeRanges(cluster);
      expect([nodes, services, pods].reduce((sum, range) => sum + sizeOf(range), 0)).toBe(sizeOf(cidr));
      expect([nodes, services, pods].every((range) => contains(cidr, range))).toBe(true);
      expect(overlap(nodes, services) || overlap(nodes, pods) || overlap(services, pods)).toBe(false);
    }),
  );
});
