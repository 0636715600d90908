/**
 * Prints the regular expressions that the modules of `src` construct while they load, as JSON. Run it with
 * `node -r ./scripts/typescript-hook.cjs`.
 */
const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const ROOT = join(__dirname, '../..');
const Original = RegExp;
const recorded = [];

globalThis.RegExp = new Proxy(Original, {
  construct(target, given) {
    const made = Reflect.construct(target, given);
    const [, , caller = ''] = new Error().stack.split('\n');
    const [, file = '', position = ''] = /\(?(\/[^()]*):(\d+:\d+)\)?$/.exec(caller) ?? [];
    const path = relative(ROOT, file);
    if (path.startsWith('src/')) recorded.push({ file: path, position, source: made.source, flags: made.flags });
    return made;
  },
});

// The entry point of the command line runs it, and pages need a browser.
const isLoaded = (file) => file.endsWith('.ts') && file !== 'cli/main.ts' && !file.startsWith('report/map/page/');

for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(isLoaded)) {
  require(join(ROOT, 'src', file));
}
process.stdout.write(JSON.stringify(recorded));
