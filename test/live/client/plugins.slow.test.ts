import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCredentials } from '../../../src/live/client/credentials';

// Rows start processes, which other work on the machine slows down.
jest.setTimeout(60_000);

const CREDENTIAL = JSON.stringify({ kind: 'ExecCredential', status: { token: 'TOKEN' } });

interface Row {
  /** A shell script. */
  readonly plugin: string;
  readonly args?: string[];

  /** What is wrong, or the credential. */
  readonly want: string;
}

const rows: Record<string, Row> = {
  'that prints a credential': { plugin: `echo '${CREDENTIAL}'`, want: 'Bearer TOKEN' },
  'that writes many messages next to it': {
    plugin: `head -c 3000000 /dev/zero | tr '\\0' x >&2; echo '${CREDENTIAL}'`,
    want: 'Bearer TOKEN',
  },
  'whose child keeps its output open': { plugin: `sleep 100 & echo '${CREDENTIAL}'`, want: 'Bearer TOKEN' },
  'that fails while its child keeps its output open': { plugin: 'sleep 100 & exit 3', want: 'it ended with 3' },
  'that prints without an end': { plugin: 'yes', want: 'it printed more than 1 MiB' },
  'whose child prints without an end': { plugin: 'yes & wait', want: 'it printed more than 1 MiB' },
  'that prints nothing and does not end': { plugin: 'exec sleep 100', want: 'it took longer than 2 s' },
  'that waits for a child': { plugin: 'sleep 100; echo', want: 'it took longer than 2 s' },
  'that prints JSON nested a hundred thousand times': {
    plugin: `head -c 200000 /dev/zero | tr '\\0' '['`,
    want: 'it printed no ExecCredential',
  },
  'with an argument that no process can have': {
    plugin: 'true',
    args: ['a\0b'],
    want: 'it cannot be started: ERR_INVALID_ARG_VALUE',
  },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugins-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(Object.entries(rows))('a plugin %s', async (_, { plugin, args = [], want }) => {
  const command = join(folder, 'plugin');
  writeFileSync(command, `#!/bin/sh\n${plugin}\n`);
  chmodSync(command, 0o755);
  const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args } };
  const access = { context: 'x', server: { server: 'https://127.0.0.1' }, user };
  const options = { env: { PATH: process.env['PATH'] }, pluginTimeout: 2000 };
  const got = await loadCredentials(access, options).then(
    ({ headers }) => String(headers['authorization']),
    (error: Error) => error.message,
  );
  const said = want.startsWith('Bearer') ? want : `the credential plugin ${command} returned no credentials: ${want}`;
  expect(got).toBe(said);
});
