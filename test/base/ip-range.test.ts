import { array, assert, constantFrom, integer, nat, pre, property, tuple } from 'fast-check';
import {
  addressCountOf,
  alignRange,
  type IpRange,
  formatIpRange,
  hasOverlap,
  parseIpRange,
  subrangeOf,
} from '../../src/base/ip-range';
import { eksSubnetsOf } from '../../src/provision/eks/network';
import { gkeRangesOf } from '../../src/provision/gke/network';
import { aFleet } from '../provision/build';

const cidrs = tuple(nat({ max: 2 ** 32 - 1 }), integer({ min: 0, max: 32 })).map(([value, prefix]) =>
  alignRange({ bits: 32, value: BigInt(value), prefix }),
);

test('a range reads as it was written', () => {
  assert(property(cidrs, (cidr) => expect(parseIpRange(formatIpRange(cidr))).toEqual(cidr)));
});

test('parts of a range fill it and do not overlap', () => {
  assert(
    property(cidrs, integer({ min: 0, max: 3 }), (cidr, bits) => {
      pre(cidr.prefix + bits <= 32);
      const parts = Array.from({ length: 2 ** bits }, (_, index) => subrangeOf(cidr, bits, index));
      expect(parts.reduce((sum, part) => sum + addressCountOf(part), 0)).toBe(addressCountOf(cidr));
      expect(parts.every((part) => contains(cidr, part) && alignRange(part).value === part.value)).toBe(true);
      expect(parts.some((a, i) => parts.some((b, j) => i < j && hasOverlap(a, b)))).toBe(false);
    }),
  );
});

test('of two ranges that overlap one holds the other', () => {
  assert(property(cidrs, cidrs, (a, b) => expect(hasOverlap(a, b)).toBe(contains(a, b) || contains(b, a))));
});

test('nodes, services and pods share the range of a cluster and do not overlap', () => {
  assert(
    property(cidrs, (cidr) => {
      pre(cidr.prefix <= 30);
      const { cluster } = aFleet('GKE', { cluster: { network: { cidr: formatIpRange(cidr) } } });
      const { nodes, services, pods } = gkeRangesOf(cluster);
      expect([addressCountOf(nodes), addressCountOf(pods)]).toEqual([
        addressCountOf(cidr) / 4,
        addressCountOf(cidr) / 2,
      ]);
      expect(addressCountOf(services)).toBe(Math.min(addressCountOf(cidr) / 4, 65_536));
      expect([nodes, services, pods].every((range) => contains(cidr, range))).toBe(true);
      expect(hasOverlap(nodes, services) || hasOverlap(nodes, pods) || hasOverlap(services, pods)).toBe(false);
    }),
  );
});

test('subnets are in the range of a cluster, do not overlap, and stay where they are when a zone is added', () => {
  const letters = array(constantFrom(...'abcdefgh'), { minLength: 1, maxLength: 8 });
  assert(
    property(cidrs, letters, constantFrom(...'abcdefgh'), (cidr, some, another) => {
      pre(cidr.prefix <= 27);
      const [before, after] = [some, [...some, another]].map((ones) => subnetsIn(cidr, ones));
      expect(after?.every(({ range }) => contains(cidr, range))).toBe(true);
      expect(after?.some((a, i) => after.some((b, j) => i < j && hasOverlap(a.range, b.range)))).toBe(false);
      // Where only one zone is named, a second one comes with it until another is.
      if (new Set(some).size > 1) expect(after).toEqual(expect.arrayContaining(before ?? []));
    }),
  );
});

function subnetsIn(cidr: ReturnType<typeof parseIpRange>, letters: readonly string[]) {
  const zones = letters.map((letter) => `us-east-1${letter}`);
  const declared = { cluster: { network: { cidr: formatIpRange(cidr) } }, pools: { l4: { zones } } };
  const subnets = eksSubnetsOf(aFleet('EKS', declared).cluster);
  return [...subnets.public, ...subnets.private];
}

/** Whether all addresses of `inner` are in `outer`. */
function contains(outer: IpRange, inner: IpRange): boolean {
  return outer.value <= inner.value && endOf(inner) <= endOf(outer);
}

test('ranges of two families have no address in common, whatever their numbers are', () => {
  expect(hasOverlap(parseIpRange('0.0.0.0/0'), parseIpRange('::/0'))).toBe(false);
  expect(hasOverlap(parseIpRange('fd00::/8'), parseIpRange('fd00:ec2::/32'))).toBe(true);
});

test('a range of IPv6 has parts too', () => {
  expect(formatIpRange(subrangeOf(parseIpRange('fd00::/8'), 8, 255))).toBe('fdff::/16');
  expect(formatIpRange(alignRange(parseIpRange('fd00::1/64')))).toBe('fd00::/64');
});

function endOf(range: IpRange): bigint {
  return range.value + BigInt(addressCountOf(range));
}
