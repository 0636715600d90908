import { D, type Forms } from './form';

/** URLs, named formats, and texts that may be some. */
export const URL_TEXT: Forms = {
  simple: [
    '"https://example.com:8443/a/b?k=v&k=2#top"',
    '"HTTP://u:p%40@[fe80::1%25eth0]:80/%7Euser/a b"',
    '"http://[::1]"',
    '"http://[1.2.3.4]/"',
    '"http://a:b:1/"',
    '"ftp://a:b:1/"',
    '"mailto:a@example.com"',
    '"/a/b?x=%zz&y=%41&y=+&z;w"',
    '"//host/path"',
    '"/a%2Fb%2"',
    '"a/b"',
    '""',
    '"*"',
    '"http://h%41/"',
    '"http://h%ff/\\u00fc?q=%ff"',
    `${D}.endpoint`,
  ],
  composed: ['<string>', '<any>', '<urlText>', '"/" + <string>', '"https://" + <nameText>'],
};

export const URL: Forms = {
  simple: ['url("https://example.com:8443/a?k=v&k=2")', 'url("/a%20b?x")', `url(${D}.endpoint)`],
  composed: ['url(<urlText>)', '<bool> ? <url> : <url>', 'cel.bind(#url, <url>, <url>)', '[<url>][0]'],
};

const FORMATS = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
];

export const FORMAT: Forms = {
  simple: FORMATS.map((name) => `format.${name}()`),
  composed: [
    'format.named("uuid").value()',
    'format.named(<string>).orValue(<format>)',
    '<bool> ? <format> : <format>',
    'cel.bind(#format, <format>, <format>)',
  ],
};

export const NAME_TEXT: Forms = {
  simple: [
    '"my-name"',
    '"My_Name.x"',
    '"a.b-"',
    '"example.com/name"',
    '"1a"',
    '"-"',
    '"123e4567-e89b-12d3-a456-426614174000"',
    '"YWI="',
    '"2024-02-29"',
    '"2023-02-29"',
    '"2024-02-29T23:59:59.5Z"',
    '"2024-02-29t24:00:00+01:00"',
    `${D}.family`,
  ],
  composed: ['<string>', '<any>', '<urlText>', '<nameText> + "-"', '<string>.lowerAscii()'],
};

/** What is true or false of them. */
export const URL_CONDITIONS: readonly string[] = [
  'isURL(<urlText>)',
  '<url> == <url>',
  '<url> != <url>',
  '<any> == <url>',
  '<url> in [<url>, <url>]',
  '<url>.getScheme() == "https"',
  '<url>.getHost() == "example.com:8443"',
  '<url>.getHostname() == "::1"',
  '<url>.getPort() == "8443"',
  '<url>.getEscapedPath() == "/a%20b"',
  '<url>.getEscapedPath().startsWith(<string>)',
  '"k" in <url>.getQuery()',
  '<url>.getQuery()["k"] == ["v", "2"]',
  '<url>.getQuery() == {"k": <strings>}',
  '<url>.getQuery().k[<int>] == <string>',
  '<any>.getHost() == <string>',
  '<format>.validate(<nameText>).hasValue()',
  '<format>.validate(<nameText>).orValue(<strings>) == <strings>',
  '<format>.validate(<nameText>).value()[0].startsWith("a")',
  '<format> == <format>',
  '<format> != <format>',
  'format.named(<string>).hasValue()',
  '<any>.validate(<nameText>).hasValue()',
  'dyn(<format>) == <any>',
];
