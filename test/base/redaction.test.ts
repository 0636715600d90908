import { redact } from '../../src/base/redaction';

/** Keys in the formats of their issuers, put together here so that scanners of repositories do not report them. */
const key = (prefix: string, length = 40): string => prefix + 'aB3dE5fG7h'.repeat(5).slice(0, length);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const JWT = `eyJ${'hbGciOiJI'.repeat(3)}.eyJ${'zdWIiOiIx'.repeat(3)}.${'sIgNaTuRe'.repeat(3)}`;
const PEM = `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${`${'MIIEow+/'.repeat(8)}\n`.repeat(3)}AbC=\n-----END RSA ${'PRIVATE'} KEY-----`;

const formats: Record<string, string> = {
  'Hugging Face': key('hf_'),
  OpenAI: key('sk-proj-'),
  Anthropic: key('sk-ant-api03-'),
  GitHub: key('ghp_'),
  'GitHub, fine-grained': key('github_pat_'),
  GitLab: key('glpat-', 20),
  Slack: key('xoxb-'),
  AWS: `AKIA${'ABCDEFGH'.repeat(2)}`,
  Google: key('AIza', 35),
  NVIDIA: key('nvapi-'),
  'a JSON Web Token': JWT,
  'a private key': PEM,
};

const spellings: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'after an escaped line break of JSON': (secret) => `\\n${JSON.stringify(secret).slice(1, -1)}`,
  'in colours of a terminal': (secret) => `\u001B[32m${secret}\u001B[39m`,
  'with every character escaped as in JSON': (secret) =>
    [...secret].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'with some characters escaped as in JSON': (secret) => secret.replace(/[-_]/g, (sign) => `\\u00${hexOf(sign)}`),
  'escaped as in a URL': (secret) => encodeURIComponent(secret).replace(/[-_.]/g, (sign) => `%${hexOf(sign)}`),
  'escaped as in HTML': (secret) => secret.replace(/[-_.]/g, (sign) => `&#x${hexOf(sign)};`),
  'in base64': base64,
  'in base64 with more': (secret) => base64(`{"key":"${secret}"}`),
  'in base64 within a path': (secret) => `/v1/${base64(secret)}`,
};

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16);

/** How much of a text someone may read: what is longer is a part of a secret. */
const LONGEST_SHOWN = 16;

function expectHidden(secret: string, text: string, known: readonly string[] = []): void {
  const shown = redact(text, known);
  expect(shown).toContain('(hidden)');
  for (let at = 0; at + LONGEST_SHOWN <= secret.length; at++) {
    expect(shown).not.toContain(secret.slice(at, at + LONGEST_SHOWN));
  }
}

describe.each(Object.entries(spellings))('a key is hidden %s', (name, spell) => {
  // The lines of a private key have breaks, so only JSON and base64 keep it in one word.
  const ofOneWord = Object.entries(formats).filter(([format]) => format !== 'a private key' || !/escaped/.test(name));
  test.each(ofOneWord)('%s', (_, secret) => {
    expectHidden(secret, `before "${spell(secret)}" after`);
    expect(redact(`before "${spell(secret)}" after`)).toMatch(/^before ".*" after$/s);
  });
});

describe.each(Object.entries(spellings))('a known value of any form is hidden %s', (_, spell) => {
  test.each(['correct-horse-battery-staple', 'hunter2hunter2', 'a"b\\c d/e+f=g h&i'])('%s', (secret) => {
    const text = `before ${spell(secret)} after`;
    if (text.includes(secret)) expect(redact(text, [secret])).not.toContain(secret);
    if (/\s/.test(secret) && /escaped/.test(_)) return;
    expect(redact(text, [secret])).toMatch(/hidden/);
  });
});

const RANDOM = '3Xk9fQ2mZ81pLw7cRt5v';
const named: Record<string, { text: string; want: string }> = {
  'a header': { text: `authorization: Bearer ${RANDOM}`, want: 'authorization: Bearer (hidden)' },
  'a header of any value': { text: 'Authorization: Bearer nobody', want: 'Authorization: Bearer (hidden)' },
  'a header in JSON': {
    text: `{"headers": {"x-api-key": "${RANDOM}"}}`,
    want: '{"headers": {"x-api-key": "(hidden)"}}',
  },
  'a header in JSON in JSON': {
    text: `{"id": "a {\\"authorization\\":\\"Bearer ${RANDOM}\\"}"}`,
    want: '{"id": "a {\\"authorization\\":\\"Bearer (hidden)\\"}"}',
  },
  'a name and its value in JSON': {
    text: `{"name": "Authorization",\n  "value": "Basic ${RANDOM}"}`,
    want: '{"name": "Authorization",\n  "value": "Basic (hidden)"}',
  },
  'a name and its value in YAML': {
    text: `- name: HF_TOKEN\n  value: ${RANDOM}`,
    want: '- name: HF_TOKEN\n  value: (hidden)',
  },
  'a parameter of a URL of any value': {
    text: 'https://a.example/v1?x=1&api_key=abc&y=2',
    want: 'https://a.example/v1?x=1&api_key=(hidden)&y=2',
  },
  'a flag': { text: `vllm serve --api-key ${RANDOM}`, want: 'vllm serve --api-key (hidden)' },
  'a flag in a list': { text: `["--api-key", "${RANDOM}"]`, want: '["--api-key", "(hidden)"]' },
  'a bearer token alone': { text: `got Bearer ${RANDOM}.`, want: 'got Bearer (hidden)' },
  'a UUID as password': {
    text: 'password=0b8e7c1a-5d2f-4e3b-9a6c-1f2e3d4c5b6a',
    want: 'password=(hidden)',
  },
  'a URL with a password': { text: 'http://me:pw@proxy:3128/a', want: 'http://(hidden)@proxy:3128/a' },
};

test.each(Object.entries(named))('%s is hidden', (_, { text, want }) => {
  expect(redact(text)).toBe(want);
  expect(redact(want)).toBe(want);
});

const kept: Record<string, string> = {
  'names of Secrets':
    'secretName: ingress-gateway-tls-2026, token: hf-token-70b-prod-2, secret: models/hf-credentials-v2',
  'flags that sound like one': '--tokenizer Qwen/Qwen3-235B-A22B-Instruct-2507-FP8 --max-num-batched-tokens=8192',
  'names of Secrets that cdk8s makes':
    'Secret ml/app-registry-credentials-c8a1b2c3, secretKeyRef.name: house-pull-c8d246e4',
  'names of objects': 'ml/sk-telecom-chat-8b-prod-1, task-sk-learn-1, hf_home, disk-0123456789abcdef',
  'references to variables': 'http://a/?token=$(TOKEN) Authorization: Bearer $KEY Authorization: Bearer TOKEN',
  'digests and checksums': `sha256:${'0123456789abcdef'.repeat(4)} sha256-${base64('x'.repeat(32))}`,
  'escapes without a secret': 'a%20b https://a.example/%7Euser/\\u003cdiv> &#39;x&#39; C:\\new\\x41',
  'a URL with a port': 'http://a.example:8080/b@c',
};

test.each(Object.entries(kept))('%s stay', (_, text) => {
  expect(redact(text)).toBe(text);
});

test('a known value is hidden where a message quotes its start alone', () => {
  expect(redact('the text "correct-horse-bat..."', ['correct-horse-battery-staple'])).toBe('the text "(hidden)..."');
});

test('a plan of ten thousand replicas takes no second', () => {
  const replica = '{"deployment": "ml/chat-8b", "cluster": "us-east-1", "index": 17, "token": "hf", "x": "a%20b"},\n';
  const text = replica.repeat(20_000);
  const start = process.cpuUsage();
  expect(redact(text, ['correct-horse-battery-staple'])).toBe(text);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2_000);
});

const hostile: Record<string, string> = {
  'starts of keys': 'sk-',
  'starts of tokens': 'eyJ',
  'starts of private keys': `-----BEGIN ${'PRIVATE'} KEY-----`,
  'starts of URLs': '://a:',
  'names of secrets': 'token ',
  'names with quotes': `token${'"'.repeat(23)}`,
  escapes: '\\u0041',
  backslashes: '\\',
  'escapes of URLs': '%41',
  base64: 'aB/',
};

test.each(Object.entries(hostile))('a megabyte of %s takes no longer than any text', (_, part) => {
  const start = process.cpuUsage();
  redact(part.repeat(1_000_000 / part.length), ['aaaaaaaaaaaaaaab', '\\\\\\\\\\\\\\\\\\\\\\a']);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000);
});
