import { parseIpAddress } from '../../src/base/ip-address';
import { spellingsOf, toNat64Range } from '../../src/base/ip-embedding';
import { formatIpRange, parseIpRange } from '../../src/base/ip-range';

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['fe80::/10', 'fe80::/10'],
  ['::/0', '::/0'],
  ['::1/128', '::1/128'],
  ['64:ff9b:0:0:0:0:a9fe:0/112', '64:ff9b::a9fe:0/112'],
  ['1:0:0:2:0:0:0:3/128', '1:0:0:2::3/128'],
  ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8/128'],
  ['10:0:0:0:0:0:0:1/128', '10::1/128'],
])('a range %s is written as %s', (text, want) => {
  expect(formatIpRange(parseIpRange(text))).toBe(want);
  expect(parseIpRange(want)).toEqual(parseIpRange(text));
});

test.each(['', 'a', '1.2.3', ':::', '1:2', '1:2:3:4:5:6:7:8:9', 'g::1', 'fe80::1%eth0', '1::2::3'])(
  '%p is no address',
  (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  },
);

test('an IPv4 address is found in the IPv6 addresses that lead to it', () => {
  const want = parseIpAddress('169.254.169.254');
  const forms = ['::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', '2001:0:1:2:3:4:5601:5601'];
  for (const form of forms) expect(spellingsOf(parseIpAddress(form)!)).toContainEqual(want);
  expect(spellingsOf(parseIpAddress('2606:4700::1111')!)).toHaveLength(1);
});

test('a range of IPv4 addresses has one behind NAT64', () => {
  expect(formatIpRange(toNat64Range(parseIpRange('10.0.0.0/8')))).toBe('64:ff9b::a00:0/104');
});
