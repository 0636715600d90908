import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isWhole } from '../daily';

const ROOT = join(__dirname, '../..');

/** The texts of all YAML files of the repository. Many files, and more documents, are the same. */
export const CORPUS = distinct(
  ['examples', 'recipes', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.ya?ml$/.test(path) && !path.includes('node_modules'))
      .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
  ),
);

/** Some definitions of operators repeat the schema of a pod until they have 400 kB. One of these takes a second. */
const HUGE = 100_000;

const documents = distinct(CORPUS.flatMap((text) => text.split(/^---\n/m)));
const huge = documents.filter((text) => text.length > HUGE).sort((a, b) => a.length - b.length);

/** The documents of all YAML files of the repository. `npm test` has one of those that are huge. */
export const DOCUMENTS = isWhole
  ? documents
  : [...documents.filter((text) => text.length <= HUGE), ...huge.slice(0, 1)];

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Texts that readers of YAML disagree on, or that need more than the plain subset, and some that look like these. */
export const UNUSUAL = [
  'yes ;; no ;; on ;; off ;; y ;; n ;; null ;; ~ ;; Null ;; nUll ;; true ;; TRUE ;; tRue ;; 012 ;; 0o7 ;; 0x1F',
  '0b11 ;; 1_000 ;; 1:20 ;; 190:20:30 ;; 2026-01-01 ;; 2026-01-01 10:00:00 ;; -0 ;; +1 ;; .5 ;; 5. ;; 1.10 ;; 9.0.0',
  '1e3 ;; 1E+3 ;; .inf ;; -.INF ;; .nan ;; 12345678901234567890 ;; 0.1000000000000000055511151231257827 ;; 007 ;; --',
  '- ;; -  ;; --- ;; ... ;; << ;; = ;; ! ;; !!str a ;; &a ;; *a ;; &a b ;; %YAML 1.2 ;; @a ;; `a` ;; ? ;; ? a ;; : ;; a:b',
  `a: b ;; a #b ;; a#b ;; #a ;; # a ;; "a" ;; 'a' ;; 'it''s' ;; "a\\nb" ;; "\\u0041" ;; "\\x41" ;; "a ;; 'a ;; "a" b`,
  '{} ;; [] ;; {a: 1} ;; { a: 1, b: [x, y] } ;; [a, b ;; {a} ;; [a: b] ;; {a: 1,} ;; [a,, b] ;; {"a":1} ;; {a:1} ;; [ -a ]',
  '| ;; |- ;; |+ ;; > ;; >- ;; |2 ;; | # a ;; a\tb ;; \ta ;; a\r ;; é ;; \u00a0 ;; \u0085 ;; \u2028 ;; \uFEFF ;; \u{1F600}',
  'http://a/b:c ;; a, b ;; a] ;; x{y} ;; $(A) ;; /a ;; .a ;; +a ;; -a ;; 80Gi ;; a   ;; __proto__ ;; constructor ;; 1',
].flatMap((texts) => texts.split(' ;; '));

const value = fc.oneof(fc.constantFrom(...UNUSUAL), fc.constantFrom('a', 'b c', '8', '"x"', "'y'"));

/** Names of anchors, and what is not quite one. Few names, so that aliases find them, and some are given twice. */
const anchor = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('&x', '&y', '&z', '&x-1') },
  fc.constantFrom(
    '&',
    '& x',
    '&x:',
    '&x,',
    '&é',
    '&x.1',
    '&x &y',
    '&x !!str',
    '!!map &x',
    '&x *y',
    '&x #',
    '&x # note',
  ),
);
const alias = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('*x', '*y', '*z', '*x-1') },
  fc.constantFrom('*', '* x', '*x:', '*x :', '*x,', '*x.1', '*x y', '*x: y', '*x # note', '*x #', '*x#'),
);
const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e-f', '"g"') }, value);
const line = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
  { weight: 3, arbitrary: key.map((name) => `${name}:`) },
  { weight: 2, arbitrary: fc.tuple(key, value).map(([name, text]) => `- ${name}: ${text}`) },
  { weight: 2, arbitrary: value.map((text) => `- ${text}`) },
  { weight: 1, arbitrary: value },
  { weight: 1, arbitrary: fc.constantFrom('', '# note', '   ', '-') },
);
const indented = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 6), line);

/** Lines of any indentation: few of these are documents. */
export const wild = fc.array(indented, { minLength: 1, maxLength: 7 }).map(joined);

/** Documents whose lines are indented as their structure asks for. */
export const tame: fc.Arbitrary<string> = fc
  .letrec<{ lines: string[] }>((tie) => {
    return {
      lines: fc
        .array(
          fc.oneof(
            { depthSize: 'medium', maxDepth: 4 },
            fc.tuple(key, value).map(([name, text]) => [`${name}: ${text}`]),
            fc.tuple(key, tie('lines'), fc.constantFrom('', ' ', '  ', '    ')).map(([...parts]) => nested(...parts)),
            fc
              .tuple(key, fc.array(value, { minLength: 1, maxLength: 3 }), fc.constantFrom('- ', '  - ', '  '))
              .map(([name, texts, by]) => nested(name, texts, by)),
            fc
              .tuple(key, tie('lines'))
              .map(([name, [first = 'x', ...rest]]) => [`${name}:`, `- ${first}`, ...indent(rest, '  ')]),
            fc
              .tuple(
                key,
                fc.constantFrom('|', '|-'),
                fc.array(fc.constantFrom('a', ' b', '', '# c', 'd: e'), { maxLength: 4 }),
              )
              .map(([name, sign, texts]) => [`${name}: ${sign}`, ...indent(texts, '  ')]),
            fc.constantFrom(['# note'], ['']),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((groups) => groups.flat()),
    };
  })
  .lines.map((lines) => `${lines.join('\n')}\n`);

const anchoredValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b c', '"x"', '8', '[a, b]', '{ a: 1 }', '[{ a: [b] }]', '~', '') },
  value,
);

/** Documents whose values have anchors, and are repeated. Each entry has a key of its own. */
export const anchored: fc.Arbitrary<string> = fc
  .letrec<{ entries: string[]; entry: string[] }>((tie) => {
    const sign = fc.constantFrom('', '- ');
    const below = fc.tuple(anchor, tie('entries'), fc.constantFrom('', '  ', '    '));
    return {
      entry: fc.oneof(
        { depthSize: 'medium', maxDepth: 3 },
        fc.tuple(anchor, anchoredValue).map(([name, text]) => [`?: ${name} ${text}`]),
        alias.map((name) => [`?: ${name}`]),
        fc
          .tuple(alias, fc.constantFrom('  more', '  - a', '- a', '  a: b'))
          .map(([name, more]) => [`?: ${name}`, more]),
        fc.tuple(anchor, fc.constantFrom('|', '|-')).map(([name, mark]) => [`?: ${name} ${mark}`, '  text']),
        fc.tuple(alias, anchor).map(([one, name]) => [`?: [${one}]`, `${name} ?: a`]),
        below.map(([name, lines, by]) => [`?: ${name}`, ...indent(lines, by)]),
        below.map(([name, lines, by]) => ['?:', `  - ${name}`, ...indent(lines, `  ${by}`), '  - b']),
        fc
          .tuple(fc.oneof(anchor, alias), anchoredValue, alias, sign)
          .map(([name, text, last, by]) => ['?:', `- ${name} ${by}${text}`, `- ${last}`, `- ?: ${last}`]),
        tie('entries').map((lines) => nested('?', lines, '  ')),
        fc.tuple(anchor, fc.constantFrom('[', '{')).map(([name, open]) => [`?: ${open} ${name} a ]`]),
      ),
      entries: fc.array(tie('entry'), { minLength: 1, maxLength: 3 }).map((groups) => groups.flat()),
    };
  })
  .entries.chain((lines) => {
    const repeats = fc.array(alias, { maxLength: 2 });
    return repeats.map((names) => [...lines, ...names.map((name) => `?: ${name}`)]);
  })
  .map((lines) => {
    let keys = 0;
    return `${lines.join('\n')}\n`.replaceAll('?:', () => `k${(keys += 1)}:`);
  });

/** Documents of the repository with an edit. */
export const edited = fc
  .tuple(
    fc.nat(),
    fc.nat(),
    fc.nat(8),
    fc.oneof(fc.constantFrom('', ' ', '\n', ': ', '- ', ' #', '"', "'", ','), value, anchor, alias),
  )
  .map(([which, at, removed, inserted]) => {
    const text = (DOCUMENTS[which % DOCUMENTS.length] ?? '').slice(0, 3000);
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + removed);
  });

function indent(lines: string[], by: string): string[] {
  return lines.map((one) => by + one);
}

function nested(name: string, below: string[], by: string): string[] {
  return [`${name}:`, ...indent(below, by)];
}

function joined(lines: (readonly [number, string])[]): string {
  return lines.map(([indent, text]) => `${' '.repeat(indent)}${text}\n`).join('');
}
