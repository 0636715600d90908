/** The start and the rest of keys of a format. */
type Format = readonly [start: string, rest: string];

/** The formats of keys by who issues them. Quantifiers are bounded where a match can fail, so that time is linear. */
const KEY_FORMATS: Readonly<Record<string, Format>> = {
  'Hugging Face': ['hf_', '[A-Za-z0-9]{16,}'],
  'OpenAI, Anthropic, OpenRouter and others': ['sk-', String.raw`[\w-]{0,48}?\w{16}[\w-]*`],
  Stripe: ['[sr]k_', '(?:live|test)_[A-Za-z0-9]{10,}'],
  GitHub: ['gh[opsur]_', '[A-Za-z0-9]{16,}'],
  'GitHub, fine-grained': ['github_pat_', String.raw`\w{10,}`],
  GitLab: ['gl(?:pat|ptt|dt|rt|cbt)-', String.raw`[\w-]{10,}`],
  Slack: ['xox[abeoprs]-', String.raw`[\w-]{8,}`],
  'Slack, app level': ['xapp-', String.raw`[\w-]{10,}`],
  AWS: ['A(?:KI|SI)A', '[0-9A-Z]{16}'],
  'Google, API key': ['AIza', String.raw`[\w-]{30,}`],
  'Google, access token': [String.raw`ya29\.`, String.raw`[\w-]{20,}`],
  'Google, client secret': ['GOCSPX-', String.raw`[\w-]{20,}`],
  NVIDIA: ['nvapi-', String.raw`[\w-]{20,}`],
  Groq: ['gsk_', '[A-Za-z0-9]{20,}'],
  Replicate: ['r8_', '[A-Za-z0-9]{20,}'],
  Pulumi: ['pul-', '[0-9a-f]{32,}'],
  npm: ['npm_', '[A-Za-z0-9]{30,}'],
  Docker: ['dckr_pat_', String.raw`[\w-]{16,}`],
  'JSON Web Token': ['eyJ', String.raw`(?:[\w-]{10,}\.[\w.-]*|[\w-]{30,})`],
  'private key in PEM': [
    '-----BEGIN ',
    [
      String.raw`[A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----`,
      String.raw`(?:[^-]{0,16000}-----END [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----|(?:[\s\\nr|]{0,80}[A-Za-z0-9+/=]{16,})*)`,
    ].join(''),
  ],
};

const FORMATS = Object.values(KEY_FORMATS);

/** A key starts after a character that no key contains, after an escape of JSON, or after a color code of a terminal. */
const BOUNDARY = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]|\u001B\[\d\d?m))`;

/** Matches each key of a known format. The starts come first: that makes it several times as fast. */
export const KEYS = new RegExp(
  `(?=${FORMATS.map(([start]) => start).join('|')})${BOUNDARY}(?:${FORMATS.map((one) => one.join('')).join('|')})`,
  'g',
);

/** Matches the user and the password in each URL that has both. */
export const URL_PASSWORDS = /(?<=:\/\/)[^/\s:@"'\\<>]{1,256}:[^/\s@"'\\<>]{1,256}(?=@)/g;

/** Reports whether a text contains a key of a known format, or a URL with a password. */
export function hasKey(text: string): boolean {
  return text.search(KEYS) >= 0 || text.search(URL_PASSWORDS) >= 0;
}
