import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findMisspelledSecrets } from '../../../src/plan/warnings/secret-warnings';
import { byPath, parsed } from '../../api/build';

interface Row {
  /** The Secret of each service of a namespace. */
  secrets: readonly string[];

  /** The namespace of the last service. */
  lastIn?: string;
  want: string[];
}

const rows: Record<string, Row> = {
  'a name that two references have stands for one that differs by a letter': {
    secrets: ['chat-keys', 'chat-keys', 'chat-keyz'],
    want: [
      "ModelService ml/s2 spec.auth.apiKeys.0.secretRef.name: nothing else refers to Secret 'chat-keyz'. Did you mean 'chat-keys', as in 2 other references?",
    ],
  },
  'one reference shows nothing': { secrets: ['chat-keys', 'chat-keyz'], want: [] },
  'a name that two references have is meant': { secrets: ['keys', 'keys', 'keyz', 'keyz'], want: [] },
  'another namespace has other Secrets': { secrets: ['chat-keys', 'chat-keys', 'chat-keyz'], lastIn: 'lab', want: [] },
  'names that differ in a digit are of a series': { secrets: ['keys-1', 'keys-1', 'keys-2'], want: [] },
  'names that differ in a short part are of a series': { secrets: ['keys-eu', 'keys-eu', 'keys-us'], want: [] },
  'a letter of a series is no misspelling': { secrets: ['team-a-keys', 'team-a-keys', 'team-b-keys'], want: [] },
};

test.each(Object.entries(rows))('%s', (_, { secrets, lastIn, want }) => {
  const services = secrets.map((name, i) => {
    const namespace = lastIn !== undefined && i === secrets.length - 1 ? lastIn : 'ml';
    const auth = { apiKeys: [{ name: 'app', secretRef: { name } }] };
    return parsed('ModelService', `${namespace}/s${i}`, {
      endpoints: [{ selector: { matchLabels: { app: 'chat' } } }],
      auth,
    });
  });
  expect(locateAll(findMisspelledSecrets(assemble(services)), byPath).map(formatDiagnostic)).toEqual(want);
});
