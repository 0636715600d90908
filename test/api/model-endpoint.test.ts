import { anEndpoint } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, told } from './rows';

const bad: Record<string, BadRow> = {
  'an address has a scheme': {
    change: { 'spec.url': 'api.example.com' },
    want: ["spec.url: this is not an HTTP address. Write it as in 'https://api.example.com'."],
  },
  'an address is HTTP': {
    change: { 'spec.url': 'ftp://api.example.com' },
    want: ["spec.url: this is not an HTTP address. Write it as in 'https://api.example.com'."],
  },
  'an address holds no credential, and the message does not show it': {
    change: { 'spec.url': 'https://user:hunter2@api.example.com' },
    want: ['spec.url: the address holds a credential. Remove what stands before the @.'],
  },
  'an address is required': {
    change: { 'spec.url': undefined },
    want: ["spec.url: the field 'url' is missing."],
  },
};

describe('ModelEndpoint', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(told(changed(fullDocument('ModelEndpoint'), change))).toEqual(want);
  });

  test('an address is enough', () => {
    expect(anEndpoint('saas', { url: 'http://10.0.0.1:8000' }).spec).toEqual({ url: 'http://10.0.0.1:8000' });
  });
});
