// `npm run prose`: checks the words of what users read against docs/glossary.md, its style with write-good, and the length of
// sentences.
import { readFileSync } from 'node:fs';
import { findFaults, parseGlossary } from './prose-rules';
import { findLongSentences } from './prose-sentences';
import { readBlockComments, readComments, readDescriptions, readMessages, readPages } from './prose-sources';

const GLOSSARY = 'docs/glossary.md';

const PAGES = ['docs', 'examples', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];

/** What is wrong with the texts of the repository, as `file:line: what`. */
export function proseFaults(): string[] {
  const rules = parseGlossary(readFileSync(GLOSSARY, 'utf8'));
  const texts = [
    ...readMessages(['src', 'constructs', 'stacks']),
    ...readPages(PAGES, [GLOSSARY]),
    ...readBlockComments(PAGES),
    ...readComments(['examples', 'recipes']),
    ...readDescriptions('schema'),
  ];
  const words = texts.flatMap(({ file, line, text, style }) =>
    findFaults(text, rules, style).map((fault) => `${file}:${line}: ${fault}`),
  );
  return [...words, ...findLongSentences(readPages([...PAGES, '.changeset'], []))];
}

if (require.main === module) {
  const faults = proseFaults();
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) {
    process.stderr.write(`${faults.length} faults. ${GLOSSARY} says how to write.\n`);
    process.exitCode = 1;
  }
}
