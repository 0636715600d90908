/** Jest resolves with the `require` condition; a package that only has `import` is tried with that one. */
module.exports = (path, options) => {
  try {
    return options.defaultResolver(path, options);
  } catch (error) {
    if (path.startsWith('.')) throw error;
    return options.defaultResolver(path, { ...options, conditions: ['node', 'import', 'default'] });
  }
};
