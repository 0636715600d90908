import { readFileSync } from 'node:fs';
import { version } from '../../package.json';
import { followedPages, followPage } from '../../scripts/docs-steps';
import { referencePages } from '../../scripts/reference-pages';
import { troubleshootingPage } from '../../scripts/troubleshooting-page';
import { formatInstallNote } from '../../src/analyze/starter/starter-readme';

test.each(Object.entries(referencePages()))(
  '%s is what schemas and commands say; `npm run generate` writes it',
  (path, page) => {
    expect(readFileSync(path, 'utf8')).toBe(page);
  },
);

test('docs/troubleshooting.md has the messages that the product prints; `npm run generate` writes them', () => {
  expect(readFileSync('docs/troubleshooting.md', 'utf8')).toBe(troubleshootingPage());
});

test.each(followedPages())(
  'a reader who follows %s sees what it shows; `npm run generate` writes the outputs',
  (page) => {
    expect(followPage(page)).toBe(readFileSync(page, 'utf8'));
  },
);

test.each(['docs/start/no-cloud.md', 'docs/start/gitops.md', 'docs/start/pulumi.md'])(
  '%s says how to install the package, as every new fleet does',
  (page) => {
    expect(readFileSync(page, 'utf8')).toContain(formatInstallNote(version));
  },
);

test('README.md leads to how to install the package', () => {
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/start/no-cloud.md#install)');
});
