import { anEndpoint } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const bad: Record<string, BadRow> = {
  'an address has a scheme': {
    change: { 'spec.url': 'api.example.com' },
    want: ["spec.url: this is not an HTTP URL. Write it as in 'https://api.example.com'."],
  },
  'an address is HTTP': {
    change: { 'spec.url': 'ftp://api.example.com' },
    want: ["spec.url: this is not an HTTP URL. Write it as in 'https://api.example.com'."],
  },
  'an address holds no credential, and the message does not show it': {
    change: { 'spec.url': 'https://user:hunter2@api.example.com' },
    want: ['spec.url: the address holds a credential. Remove the part before the @.'],
  },
  'an address is required of a provider that no one names': {
    change: { 'spec.url': undefined, 'spec.provider': undefined },
    want: [
      "spec.url: the field 'url' is missing. Or set 'provider' to a known provider, or 'inside' to a service of a cluster.",
    ],
  },
  'a provider is one that we know': {
    change: { 'spec.provider': 'OpenAIs' },
    want: [
      "spec.provider: unknown value 'OpenAIs': expected OpenAI, Anthropic, Cerebras, DeepInfra, DeepSeek, Fireworks, Gemini, Groq, Mistral, Nebius, OpenRouter, Together, xAI. Use 'OpenAI'.",
    ],
  },
  'a credential in clear has no place in a manifest': {
    change: { 'spec.credential.value': 'hunter2' },
    want: [
      "spec.credential.value: the field 'value' is not allowed here. Put it into a Secret, set secretRef to its name, and replace the credential.",
    ],
  },
};

describe('ModelEndpoint', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelEndpoint'), change))).toEqual(want);
  });

  test('a provider is enough', () => {
    const document = changed(fullDocument('ModelEndpoint'), { 'spec.url': undefined });
    expect(reported(document)).toEqual([]);
  });

  test('an address is enough', () => {
    expect(anEndpoint('saas', { url: 'http://10.0.0.1:8000' }).spec).toEqual({
      url: 'http://10.0.0.1:8000',
      private: false,
      models: [],
      timeouts: {},
    });
  });
});
