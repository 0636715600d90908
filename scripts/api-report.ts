import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import { sortedBy } from '../src/base/order';
import { writeFileAtomic } from '../src/files/write-file';

const ROOT = join(__dirname, '..');

/** What users import, and where its exports are listed. */
const ENTRIES = [
  { name: 'fleetwright', file: 'src/index.d.ts', report: 'docs/api/fleetwright.md' },
  {
    name: 'fleetwright/constructs',
    file: 'constructs/index.d.ts',
    report: 'docs/api/fleetwright-constructs.md',
  },
  { name: 'fleetwright/stacks', file: 'stacks/index.d.ts', report: 'docs/api/fleetwright-stacks.md' },
  { name: 'fleetwright/stacks/gke', file: 'stacks/gke.d.ts', report: 'docs/api/fleetwright-stacks-gke.md' },
  { name: 'fleetwright/stacks/eks', file: 'stacks/eks.d.ts', report: 'docs/api/fleetwright-stacks-eks.md' },
];

/** A file of the report. */
export interface Report {
  readonly path: string;
  readonly text: string;
}

/** The names and signatures that each entry point exports, so that a change of them shows in a review. */
export function apiReports(): Report[] {
  const out = mkdtempSync(join(tmpdir(), 'fleetwright-api-'));
  try {
    const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    const project = join(ROOT, 'tsconfig.build.json');
    const flags = ['-p', project, '--emitDeclarationOnly', '--noCheck', '--outDir', out];
    execFileSync(process.execPath, [tsc, ...flags], { stdio: ['ignore', 'inherit', 'inherit'] });
    return ENTRIES.map(({ name, file, report }) => ({ path: report, text: reportOf(name, join(out, file)) }));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function reportOf(name: string, index: string): string {
  const exported = sourceOf(index)
    .statements.filter(ts.isExportDeclaration)
    .flatMap((one) => exportsOf(one, index));
  const names = new Set(exported.map((one) => one.name));
  // What has a name of its own is not repeated in a namespace.
  const listed = exported.filter(({ name }) => !names.has(name.replace(/^\w+\./, '')) || !name.includes('.'));
  const sections = sortedBy(listed, (one) => one.name).map(
    ({ name, text }) => `## ${name}\n\n\`\`\`ts\n${text}\n\`\`\`\n`,
  );
  return [`# ${name}\n\nWhat it exports. Written by \`npm run api\`.\n`, ...sections].join('\n');
}

interface Export {
  readonly name: string;
  readonly text: string;
}

function exportsOf(declaration: ts.ExportDeclaration, index: string): Export[] {
  const { exportClause } = declaration;
  const file = fileOf(declaration, index);
  if (exportClause && ts.isNamespaceExport(exportClause)) {
    return all(file).map(({ name, text }) => ({ name: `${exportClause.name.text}.${name}`, text }));
  }
  if (!exportClause) return all(file);
  const source = sourceOf(file);
  return exportClause.elements.map(({ name }) => ({
    name: name.text,
    text: declarationOf(name.text, source),
  }));
}

/** Everything that a file exports, and those that it leads to. */
function all(file: string): Export[] {
  const source = sourceOf(file);
  return source.statements.flatMap((one) => {
    if (ts.isExportDeclaration(one) && one.moduleSpecifier) return exportsOf(one, file);
    return namesOf(one).map((name) => ({ name, text: declarationOf(name, source) }));
  });
}

/** The file that an export is from. */
function fileOf({ moduleSpecifier }: ts.ExportDeclaration, index: string): string {
  if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier))
    throw new Error(`${index} exports in a way that the report does not know`);
  const path = join(dirname(index), moduleSpecifier.text);
  return existsSync(`${path}.d.ts`) ? `${path}.d.ts` : join(path, 'index.d.ts');
}

function declarationOf(name: string, source: ts.SourceFile): string {
  const printer = ts.createPrinter({ removeComments: true });
  const found = source.statements.filter((one) => namesOf(one).includes(name));
  if (found.length === 0) throw new Error(`${source.fileName} does not declare ${name}`);
  return found.map((one) => printer.printNode(ts.EmitHint.Unspecified, one, source)).join('\n');
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed =
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function sourceOf(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
}

if (require.main === module) {
  for (const { path, text } of apiReports()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileAtomic(join(ROOT, path), text);
  }
}
