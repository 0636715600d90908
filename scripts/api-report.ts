import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import { sortedBy } from '../src/base/order';
import { writeFileAtomic } from '../src/files/write-file';

const ROOT = join(__dirname, '..');

/** What users import, and where its exports are listed. */
const ENTRIES = [
  { name: 'fleetwright', file: 'src/index.d.ts', report: 'docs/api/fleetwright.md' },
  { name: 'fleetwright/constructs', file: 'constructs/index.d.ts', report: 'docs/api/fleetwright-constructs.md' },
  { name: 'fleetwright/stacks', file: 'stacks/index.d.ts', report: 'docs/api/fleetwright-stacks.md' },
  { name: 'fleetwright/stacks/gke', file: 'stacks/gke.d.ts', report: 'docs/api/fleetwright-stacks-gke.md' },
  { name: 'fleetwright/stacks/eks', file: 'stacks/eks.d.ts', report: 'docs/api/fleetwright-stacks-eks.md' },
  { name: 'fleetwright/stacks/aks', file: 'stacks/aks.d.ts', report: 'docs/api/fleetwright-stacks-aks.md' },
];

/** A file of the report. */
export interface Report {
  readonly path: string;
  readonly text: string;
}

/**
 * What each entry point exports, with what it is for, and the types that can be reached through it. The reports are
 * committed, so that a change of the public surface shows in a review.
 */
export function apiReports(): Report[] {
  const out = mkdtempSync(join(tmpdir(), 'fleetwright-api-'));
  try {
    const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    const project = join(ROOT, 'tsconfig.build.json');
    const flags = ['-p', project, '--emitDeclarationOnly', '--noCheck', '--outDir', out];
    execFileSync(process.execPath, [tsc, ...flags], { stdio: ['ignore', 'inherit', 'inherit'] });
    const files = ENTRIES.map(({ file }) => join(out, file));
    // No type of the language is in the reports.
    const program = ts.createProgram(files, { noLib: true, types: [] });
    const listed = new Set<ts.Symbol>();
    return ENTRIES.map(({ name, file, report }) => ({
      path: report,
      text: new EntryReport(program, out, join(out, file), listed).write(name),
    }));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The report of one entry point. */
class EntryReport {
  private readonly checker: ts.TypeChecker;
  private readonly printer = ts.createPrinter({ removeComments: true });

  constructor(
    private readonly program: ts.Program,
    private readonly out: string,
    private readonly index: string,
    /** The types that this report or an earlier one lists. */
    private readonly listed: Set<ts.Symbol>,
  ) {
    this.checker = program.getTypeChecker();
  }

  write(name: string): string {
    const exported = this.exported();
    const sections = sortedBy(exported, ([name]) => name).map(([name, symbol]) => this.describe(name, symbol));
    const reached = sortedBy(this.reachedFrom([...exported.values()]), ({ name }) => name);
    const head = `# ${name}\n\nWhat it exports. Written by \`npm run api\`.\n`;
    const types = reached.flatMap((symbol) => this.declarationsOf(symbol));
    const rest =
      types.length === 0
        ? []
        : [`# Types that these refer to\n\nNot exported by name.\n\n\`\`\`ts\n${types.join('\n\n')}\n\`\`\`\n`];
    return [head, ...sections, ...rest].join('\n');
  }

  /** The exported symbols by the name that users write. A namespace lists what it alone exports. */
  private exported(): Map<string, ts.Symbol> {
    const source = this.program.getSourceFile(this.index);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${this.index} exports nothing`);
    const symbols = this.checker.getExportsOfModule(module).map((one) => [one.name, this.resolve(one)] as const);
    const direct = new Set(symbols.map(([, symbol]) => symbol));
    return new Map(
      symbols.flatMap(([name, symbol]) =>
        symbol.flags & ts.SymbolFlags.ValueModule
          ? this.checker
              .getExportsOfModule(symbol)
              .map((one) => [`${name}.${one.name}`, this.resolve(one)] as const)
              .filter(([, one]) => !direct.has(one))
          : [[name, symbol] as const],
      ),
    );
  }

  private describe(name: string, symbol: ts.Symbol): string {
    const summary = ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim();
    const examples = symbol
      .getJsDocTags(this.checker)
      .filter((tag) => tag.name === 'example')
      .map((tag) => `Example:\n\n\`\`\`ts\n${ts.displayPartsToString(tag.text).trim()}\n\`\`\``);
    const signature = `\`\`\`ts\n${this.declarationsOf(symbol).join('\n')}\n\`\`\``;
    return [`## ${name}`, ...(summary ? [summary] : []), signature, ...examples].join('\n\n') + '\n';
  }

  private declarationsOf(symbol: ts.Symbol): string[] {
    return declarations(symbol).map((node) =>
      this.printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()),
    );
  }

  /** The types of the package that the given symbols refer to, directly or through others, and no report lists yet. */
  private reachedFrom(roots: readonly ts.Symbol[]): ts.Symbol[] {
    roots.forEach((root) => this.listed.add(root));
    const reached: ts.Symbol[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) {
        const symbol = this.checker.getSymbolAtLocation(node);
        const found = symbol && this.resolve(symbol);
        if (found && !this.listed.has(found) && this.isTypeOfPackage(found)) {
          this.listed.add(found);
          reached.push(found);
          declarations(found).forEach(visit);
        }
      }
      ts.forEachChild(node, visit);
    };
    roots.flatMap(declarations).forEach(visit);
    return reached;
  }

  private isTypeOfPackage(symbol: ts.Symbol): boolean {
    return (
      (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class)) !== 0 &&
      declarations(symbol).some((node) => node.getSourceFile().fileName.startsWith(this.out))
    );
  }

  private resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** The statements that declare a symbol. A constant is declared by the whole of its statement. */
function declarations(symbol: ts.Symbol): ts.Node[] {
  return (symbol.declarations ?? []).map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node));
}

if (require.main === module) {
  for (const { path, text } of apiReports()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileAtomic(join(ROOT, path), text);
  }
}
