import shakeDeclarations from '../../scripts/shake-declarations.cjs';

interface Row {
  readonly files: Readonly<Record<string, string>>;
  readonly want: Readonly<Record<string, string>>;
}

const rows: Record<string, Row> = {
  'what an entry point exports stays, with its comment, and the rest of the file goes': {
    files: {
      'index.d.ts': "export { read } from './a';\n",
      'a.d.ts':
        '/** Reads. */\nexport declare function read(): string;\n/** Writes. */\nexport declare function write(): void;\n',
    },
    want: {
      'index.d.ts': "export { read } from './a';\n",
      'a.d.ts': '/** Reads. */\nexport declare function read(): string;\n',
    },
  },
  'what a kept type names stays, in its own file and in others, and imports are cut': {
    files: {
      'index.d.ts': "export type { Plan } from './a';\n",
      'a.d.ts':
        "import { type Cost, price } from './b';\nimport type { Style } from './c';\nexport interface Plan {\n    cost: Cost;\n    own: Own;\n}\ninterface Own {\n}\nexport declare const style: Style, sum: typeof price;\n",
      'b.d.ts': 'export type Cost = number;\nexport declare const price = 1;\n',
      'c.d.ts': 'export type Style = string;\n',
    },
    want: {
      'index.d.ts': "export type { Plan } from './a';\n",
      'a.d.ts':
        "import { type Cost } from './b';\nexport interface Plan {\n    cost: Cost;\n    own: Own;\n}\ninterface Own {\n}\n",
      'b.d.ts': 'export type Cost = number;\n',
    },
  },
  'a renamed import, a type in place and the constant of a type are followed': {
    files: {
      'index.d.ts': "export type { Plan } from './a/plan';\n",
      'a/plan.d.ts':
        "import type { Cost as Price } from '../b';\nexport type Plan = Price & import('../b').Lock & typeof VERSION;\nexport declare const VERSION = 1;\n",
      'b.d.ts': 'export type Cost = 1;\nexport type Lock = 2;\nexport type Other = 3;\n',
    },
    want: {
      'index.d.ts': "export type { Plan } from './a/plan';\n",
      'a/plan.d.ts':
        "import type { Cost as Price } from '../b';\nexport type Plan = Price & import('../b').Lock & typeof VERSION;\nexport declare const VERSION = 1;\n",
      'b.d.ts': 'export type Cost = 1;\nexport type Lock = 2;\n',
    },
  },
  'comments within a type are no statements': {
    files: {
      'index.d.ts':
        '/** One. */\nexport type Source = \n/** An address. */\n{\n    mirror: string;\n}\n/** A folder. */\n | {};\n',
    },
    want: {
      'index.d.ts':
        '/** One. */\nexport type Source = \n/** An address. */\n{\n    mirror: string;\n}\n/** A folder. */\n | {};\n',
    },
  },
  'a file that is imported or exported as a whole stays, with all it has': {
    files: {
      'index.d.ts': "import './setup';\nexport type * as props from './props';\n",
      'setup.d.ts': '',
      'props/index.d.ts': 'export type A = 1;\nexport type B = 2;\n',
    },
    want: {
      'index.d.ts': "import './setup';\nexport type * as props from './props';\n",
      'setup.d.ts': '',
      'props/index.d.ts': 'export type A = 1;\nexport type B = 2;\n',
    },
  },
};

test.each(Object.entries(rows))('%s', (_, { files, want }) => {
  expect(Object.fromEntries(shakeDeclarations(['index.d.ts'], (name) => files[name]))).toEqual(want);
});
