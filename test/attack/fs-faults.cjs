/**
 * Disturbs the n-th change of a folder that this process makes. As a module: `disturb(fault)`. With `-r` and
 * FLEETWRIGHT_ATTACK_FAULT in the environment: from the start of the process.
 */
const fs = require('node:fs');
const { resolve, sep } = require('node:path');

/** Calls that change a folder, and the positions of the paths or the file among their arguments. */
const CHANGES = {
  openSync: [0],
  writeFileSync: [0],
  appendFileSync: [0],
  writeSync: [0],
  fsyncSync: [0],
  fchmodSync: [0],
  closeSync: [0],
  mkdirSync: [0],
  rmSync: [0],
  rmdirSync: [0],
  unlinkSync: [0],
  renameSync: [0, 1],
  linkSync: [0, 1],
  symlinkSync: [1],
  copyFileSync: [1],
};

/** What happens at the change. `torn` writes a half of it first. */
const ACTIONS = {
  count: () => undefined,
  kill: () => process.kill(process.pid, 'SIGKILL'),
  torn: (name, [file, data]) => {
    if (name.startsWith('write') && data !== undefined) {
      const bytes = Buffer.from(data);
      original.writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    }
    process.kill(process.pid, 'SIGKILL');
  },
  fail: (name, _, { code }) => {
    const error = new Error(`${code}: made for a test, ${name}`);
    throw Object.assign(error, { code, syscall: name.replace('Sync', '') });
  },
};

const original = { ...fs };

/** Disturbs the change `at` of a folder. Returns what ends that, and lists the changes until then. */
function disturb({ folder, at, action, ...details }) {
  const root = resolve(folder) + sep;
  const files = new Set();
  const changes = [];
  for (const [name, positions] of Object.entries(CHANGES)) {
    fs[name] = (...args) => {
      const isInside = positions.some((i) =>
        typeof args[i] === 'number' ? files.has(args[i]) : resolve(String(args[i])).startsWith(root),
      );
      const isRead = name === 'openSync' && (args[1] === undefined || args[1] === 'r');
      if (isInside && !isRead) {
        changes.push(name === 'openSync' && args[1] === 'r+' ? 'reopenSync' : name);
        if (changes.length === at) ACTIONS[action](name, args, details);
      }
      const result = original[name](...args);
      if (name === 'openSync' && isInside && !isRead) files.add(result);
      if (name === 'closeSync') files.delete(args[0]);
      return result;
    };
  }
  return () => {
    for (const name of Object.keys(CHANGES)) fs[name] = original[name];
    return changes;
  };
}

module.exports = { disturb };

const fault = process.env['FLEETWRIGHT_ATTACK_FAULT'];
if (fault) disturb(JSON.parse(fault));
