/**
 * Bundles the script and the style of the map's page into dist/page, from where `plan --html` reads them. A part of
 * `npm run build`; tests run it before they run sources.
 */
const { buildSync } = require('esbuild');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const FOLDER = join(ROOT, 'dist/page');

module.exports = function buildPage() {
  const page = bundled();
  mkdirSync(FOLDER, { recursive: true });
  write('page.js', page.script);
  write('page.css', page.style);
};

function bundled() {
  const { outputFiles } = buildSync({
    entryPoints: [join(ROOT, 'src/report/map/page/main.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    write: false,
  });
  const style = readFileSync(join(ROOT, 'src/report/map/page/page.css'), 'utf8');
  return { script: outputFiles[0].text.trimEnd(), style: style.trimEnd() };
}

/** A whole file is renamed into place, because other processes may read it. */
function write(name, text) {
  const part = join(FOLDER, `${name}.${process.pid}`);
  writeFileSync(part, text);
  renameSync(part, join(FOLDER, name));
}

if (require.main === module) module.exports();
