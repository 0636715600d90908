// Puts off what the program of Pulumi.yaml does not need, until it is used. Imported before the SDK, which then finds
// these modules in the cache of Node. What is loaded already stays as it is.
import Module, { createRequire } from 'node:module';

/**
 * What the SDK loads at its start and uses only to serialize functions: a package manager and a compiler. They take as
 * long to load as the rest of the SDK.
 */
const TO_SERIALIZE_FUNCTIONS = ['@npmcli/arborist', 'typescript'];

const sdk = createRequire(require.resolve('@pulumi/pulumi'));
for (const name of TO_SERIALIZE_FUNCTIONS) {
  const path = resolveIfInstalled(name);
  if (path !== undefined) sdk.cache[path] ??= deferModule(path);
}

function resolveIfInstalled(name: string): string | undefined {
  try {
    return sdk.resolve(name);
  } catch {
    return undefined;
  }
}

/** A module that is loaded when something of it is first used. */
function deferModule(path: string): NodeJS.Module {
  const deferred = new Module(path);
  const load = (): object => {
    if (sdk.cache[path] === deferred) delete sdk.cache[path];
    return sdk(path) as object;
  };
  const get = (_: object, name: string | symbol): unknown => name === '__esModule' || Reflect.get(load(), name);
  return Object.assign(deferred, { filename: path, loaded: true, exports: new Proxy({}, { get }) });
}
