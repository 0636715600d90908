/** What processes that run sources keep for the next one, each under a name that is a digest of what it was made of. */
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const cache = join(__dirname, '../node_modules/.cache/typescript-hook');
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Begun anew each week: what older sources became is of no use, and nothing tells it from what still is. */
const week = String(Math.floor(Date.now() / WEEK));

/** The bytes that are kept under a name, or undefined. */
exports.kept = function kept(name) {
  try {
    return readFileSync(join(cache, week, name));
  } catch {
    return undefined;
  }
};

/** Keeps bytes or a text. What cannot be kept only costs time. */
exports.keep = function keep(name, content) {
  const path = join(cache, week, name);
  const part = `${path}.${process.pid}`;
  try {
    if (mkdirSync(join(cache, week), { recursive: true })) clear();
    // A whole file is renamed into place, because other processes read and write the same.
    writeFileSync(part, content);
    renameSync(part, path);
  } catch {
    rmSync(part, { force: true });
  }
};

function clear() {
  for (const name of readdirSync(cache)) {
    if (name !== week) rmSync(join(cache, name), { recursive: true, force: true });
  }
}
