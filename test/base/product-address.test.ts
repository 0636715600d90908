import { existsSync, readdirSync, readFileSync } from 'node:fs';
import packageFile from '../../package.json';
import { DOCS_ADDRESS, REPOSITORY } from '../../src/base/product-address';

test('package.json has the address of the repository', () => {
  const { homepage, bugs, repository } = packageFile;
  expect({ homepage, bugs, repository: repository.url }).toEqual({
    homepage: `${REPOSITORY}#readme`,
    bugs: { url: `${REPOSITORY}/issues` },
    repository: `git+${REPOSITORY}.git`,
  });
});

test('the address of the docs leads to a folder of the repository', () => {
  const path = DOCS_ADDRESS.replace(`${REPOSITORY}/blob/main/`, '');
  expect(existsSync(`${path}/index.md`)).toBe(true);
});

test('no other source has an address of the product', () => {
  const sources = ['src', 'constructs', 'stacks'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const found = sources.filter((path) => /https:\/\/(github\.com\/)?fleetwright/.test(readFileSync(path, 'utf8')));
  expect(found).toEqual(['src/base/product-address.ts']);
});
