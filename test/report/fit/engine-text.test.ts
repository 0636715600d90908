import { parseVersion } from '../../../src/sizing/engine-version';
import { nameSizedEngine } from '../../../src/report/fit/engine-text';

test.each([
  ['a version between those with logged runs is named', 'vllm', '0.18.2', 'vllm 0.18'],
  ['so is the newest of them', 'vllm', '0.24', 'vllm 0.24'],
  [
    'of a newer one, the newest with a logged run counts',
    'vllm',
    '0.99',
    'vllm 0.24, the newest version with a logged run: 0.99 may differ',
  ],
  ['a later major version is newer too', 'vllm', '1.0', /^vllm 0\.24, .*: 1\.0 may differ$/],
  [
    'an engine without logged runs has the same figures in all versions',
    'sglang',
    '0.5',
    'sglang, of which no version has a logged run',
  ],
])('%s', (_, name, version, want) => {
  expect(nameSizedEngine({ name, version: parseVersion(version)! })).toEqual(
    typeof want === 'string' ? want : expect.stringMatching(want),
  );
});
