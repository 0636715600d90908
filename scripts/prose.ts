// `npm run prose`: checks the words of what users read against docs/glossary.md, and its style with write-good.
import { findFaults, parseGlossary } from './prose-rules';
import { readComments, readDescriptions, readMessages, readPages } from './prose-sources';
import { readFileSync } from 'node:fs';

const GLOSSARY = 'docs/glossary.md';

const PAGES = ['docs', 'examples', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];

/** What is wrong with the texts of the repository, as `file:line: what`. */
export function proseFaults(): string[] {
  const rules = parseGlossary(readFileSync(GLOSSARY, 'utf8'));
  const texts = [
    ...readMessages(['src', 'constructs', 'stacks']),
    ...readPages(PAGES, [GLOSSARY]),
    ...readComments(['examples', 'recipes']),
    ...readDescriptions('schema'),
  ];
  return texts.flatMap(({ file, line, text, style }) =>
    findFaults(text, rules, style).map((fault) => `${file}:${line}: ${fault}`),
  );
}

if (require.main === module) {
  const faults = proseFaults();
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) {
    process.stderr.write(`${faults.length} faults. ${GLOSSARY} says which words to use.\n`);
    process.exitCode = 1;
  }
}
