import { D, type Forms } from './form';

/** IP addresses and networks, and texts that may be some. */
export const IP_TEXT: Forms = {
  simple: [
    '"10.0.0.7"',
    '"127.0.0.1"',
    '"0.0.0.0"',
    '"255.255.255.255"',
    '"169.254.1.2"',
    '"224.0.0.5"',
    '"10.00.0.7"',
    '"10.0.0"',
    '"256.1.1.1"',
    '"::"',
    '"::1"',
    '"fe80::1"',
    '"fe80::1%eth0"',
    '"FF02::0:1"',
    '"2001:db8:0:0:1:0:0:1"',
    '"::ffff:1.2.3.4"',
    '"64:ff9b::1.2.3.4"',
    '"1::2::3"',
    `${D}.address`,
  ],
  composed: ['<string>', '<any>', '<ipText>', 'string(<ip>)', '<url>.getHostname()'],
};

export const CIDR_TEXT: Forms = {
  simple: [
    '"10.0.0.0/8"',
    '"10.1.2.3/16"',
    '"0.0.0.0/0"',
    '"192.168.0.1/32"',
    '"10.0.0.0/33"',
    '"10.0.0.0/08"',
    '"10.0.0.0"',
    '"::/0"',
    '"fe80::/10"',
    '"2001:db8::1/64"',
    '"::ffff:1.2.3.4/120"',
    '"fe80::1%eth0/64"',
    `${D}.network`,
  ],
  composed: ['<string>', '<any>', '<cidrText>', 'string(<cidr>)', '<ipText> + "/24"'],
};

export const IP: Forms = {
  simple: ['ip("10.0.0.7")', 'ip("::1")', 'ip("fe80::1")', `ip(${D}.address)`],
  composed: ['ip(<ipText>)', '<cidr>.ip()', '<bool> ? <ip> : <ip>', 'cel.bind(#ip, <ip>, <ip>)', '[<ip>][0]'],
};

export const CIDR: Forms = {
  simple: ['cidr("10.0.0.0/8")', 'cidr("10.1.2.3/16")', 'cidr("fe80::/10")', `cidr(${D}.network)`],
  composed: ['cidr(<cidrText>)', '<cidr>.masked()', '<bool> ? <cidr> : <cidr>', 'cel.bind(#cidr, <cidr>, <cidr>)'],
};

/** What is true or false of them. */
export const ADDRESS_CONDITIONS: readonly string[] = [
  'isIP(<ipText>)',
  'isCIDR(<cidrText>)',
  'ip.isCanonical(<ipText>)',
  '<ip>.isUnspecified()',
  '<ip>.isLoopback()',
  '<ip>.isLinkLocalMulticast()',
  '<ip>.isLinkLocalUnicast()',
  '<ip>.isGlobalUnicast()',
  '<ip> == <ip>',
  '<ip> != <ip>',
  '<ip> in [<ip>, <ip>]',
  '<any> == <ip>',
  '<ip> == <any>',
  'dyn(<ip>) == <string>',
  '[<ip>, <ip>] == [<ip>, <ip>]',
  '<cidr> == <cidr>',
  '<cidr>.containsIP(<ip>)',
  '<cidr>.containsIP(<ipText>)',
  '<cidr>.containsIP(<any>)',
  '<cidr>.containsCIDR(<cidr>)',
  '<cidr>.containsCIDR(<cidrText>)',
  '<any>.containsIP(<ipText>)',
  '<any>.isLoopback()',
  'type(<ip>) == type(<cidr>)',
  '[type(<ip>)] == [type(<any>)]',
  '["::1", "a"].exists(ip, ip.isCanonical(ip))',
];
