import { readFileSync } from 'node:fs';
import { listMarkdown } from '../../scripts/docs-page';
import { Workspace } from '../cli/cli';

/** A command on an example or the catalog, and what a page says that it prints: `...` stands for lines that are left out. */
const SAMPLE =
  /^ {4}\$ fleetwright (?<command>(?:plan|what-if|survive|explain) .*examples\/.*|(?:fit|catalog|model) .*)\n(?<lines>(?: {4}.*\n|\n(?= {4}))+)/gm;

const samples = listMarkdown('docs').flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(SAMPLE)].map(({ groups }) => ({
    page,
    command: groups!['command']!,
    lines: groups!['lines']!,
  })),
);

const work = new Workspace();
afterAll(() => work.remove());

test.each(samples)('the output of $command on $page is what it prints', ({ command, lines }) => {
  const printed = work.run(command).out.split('\n');
  let next = 0;
  const wrong = lines
    .split('\n')
    .map((line) => line.slice(4))
    .filter((line) => line.trim() !== '' && line.trim() !== '...')
    .filter((line) => {
      const at = printed.findIndex((one, i) => i >= next && one.startsWith(line));
      if (at >= 0) next = at + 1;
      return at < 0;
    });
  expect(wrong).toEqual([]);
});

test('pages have such outputs', () => {
  expect(samples.length).toBeGreaterThanOrEqual(5);
});
