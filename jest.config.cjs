/** ESM-only packages that Jest's CommonJS runtime has to transform. */
const esmPackages = ['cel-js'];

// Workers start with these flags. Every core has a worker already: threads that collect garbage next to it only take its
// time. A larger young generation is collected less often: at its full size from the start, tests take a tenth less.
process.execArgv.push('--single-threaded-gc', '--max-semi-space-size=64', '--min-semi-space-size=64');
// V8 optimizes code that most rows run a few times only: that was a third of the processor time. Later, it pays.
process.execArgv.push('--interrupt-budget=1200000');

/** @type {import('jest').Config} */
module.exports = {
  // Left to itself, Jest leaves one core idle: on two, that is half of them.
  maxWorkers: '100%',
  // Only a hung test takes this long: on a busy machine a good one takes ten times as long as on a quiet one.
  testTimeout: 120_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.[cm]?[jt]sx?$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: {
    '^fleetwright$': '<rootDir>/src/index.ts',
    '^fleetwright/constructs$': '<rootDir>/constructs/index.ts',
    '^fleetwright/stacks$': '<rootDir>/stacks/index.ts',
    '^fleetwright/stacks/(gke|eks|aks)$': '<rootDir>/stacks/$1.ts',
  },
  globalSetup: '<rootDir>/test/jest.setup.cjs',
  // Share modules between test files. Without these two, tests take 1.7 times the CPU time and twice the memory.
  runtime: '<rootDir>/test/jest.runtime.cjs',
  testEnvironment: '<rootDir>/test/jest.environment.cjs',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/out/'],
};
