const { join } = require('node:path');

/** These serve the SDK of Pulumi only to serialize functions, and take most of the time that it takes to load. */
const UNUSED = new Set(['typescript', '@npmcli/arborist']);
const SDK = join('/@pulumi/pulumi/');

/** Jest resolves with the `require` condition; a package that only has `import` is tried with that one. */
module.exports = (path, options) => {
  if (UNUSED.has(path) && options.basedir.includes(SDK)) return join(__dirname, 'jest.unused.cjs');
  try {
    return options.defaultResolver(path, options);
  } catch (error) {
    if (path.startsWith('.')) throw error;
    return options.defaultResolver(path, { ...options, conditions: ['node', 'import', 'default'] });
  }
};
