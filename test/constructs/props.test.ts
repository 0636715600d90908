import { readFileSync } from 'node:fs';
import type {
  FleetProps,
  GrantProps,
  InferenceClassProps,
  InferenceClusterProps,
  InferenceGatewayProps,
  ModelCacheProps,
  ModelDeploymentProps,
  ModelEndpointProps,
  ModelServiceProps,
} from '../../constructs/index';
import type { ObjectReference } from '../../constructs/object-reference';
import { indexFile, knownFile, propsFile, sharedFile } from '../../scripts/props';
import type { FleetSettingsInput } from '../../src/api/fleet-settings';
import type { GrantInput } from '../../src/api/grant';
import type { InferenceClassInput } from '../../src/api/inference-class';
import type { InferenceClusterInput } from '../../src/api/inference-cluster';
import type { InferenceGatewayInput } from '../../src/api/inference-gateway';
import { KINDS } from '../../src/api/kind-table';
import type { ModelCacheInput } from '../../src/api/model-cache';
import type { ModelDeploymentInput } from '../../src/api/model-deployment';
import type { ModelEndpointInput } from '../../src/api/model-endpoint';
import type { ModelServiceInput } from '../../src/api/model-service';

/** Without what the formatter changes: it breaks lines, long unions, lists and objects. */
function words(source: string): string {
  return source.replaceAll(/[\s|*,]+/g, '').replaceAll(';}', '}');
}

test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
  'the props of %s are what `npm run props` writes from its schema',
  (_, kind) => {
    const { path, text } = propsFile(kind);
    expect(words(readFileSync(path, 'utf8'))).toBe(words(text));
  },
);

test.each([sharedFile(), knownFile(), indexFile()])('$path is what `npm run props` writes', ({ path, text }) => {
  expect(words(readFileSync(path, 'utf8'))).toBe(words(text));
});

test('no interface is in two files, and none repeats another', () => {
  const texts = [...KINDS.map((kind) => propsFile(kind)), sharedFile()].map(({ text }) => text);
  const found = texts.flatMap((text) => [...text.matchAll(/^export interface (\w+) (\{[^]*?^\})/gm)]);
  const names = found.map(([, name]) => name);
  const bodies = found.map(([, , body]) => body);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(bodies.filter((body, at) => bodies.indexOf(body) !== at)).toEqual([]);
});

test('every prop has words for editors', () => {
  for (const { text } of [...KINDS.map((kind) => propsFile(kind)), sharedFile()])
    expect(text).not.toMatch(/\/\*\* \*\/|\/\*\*\n\s*\*\/|undefined Default/);
});

/** Plain data that no one may change, as props are; references are names. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** Without what props refine: each list may be empty, and each block may be set. */
type Loose<T> =
  | (undefined extends T ? undefined : never)
  | (NonNullable<T> extends readonly (infer Item)[]
      ? readonly Loose<Item>[]
      : NonNullable<T> extends object
        ? { readonly [K in keyof Whole<NonNullable<T>>]: Loose<Whole<NonNullable<T>>[K]> }
        : Each<NonNullable<T>>);

/** One object type for a union of them. */
type Whole<T> = Pick<T, keyof T>;

/** For a union of objects and other values. Objects of other tools stand for their names. */
type Each<T> = T extends ObjectReference ? never : T extends object ? Loose<T> : T;

/** Compiles only when both types take the same values, apart from refinements. */
type Same<A, B> = [Loose<A>] extends [Loose<B>] ? ([Loose<B>] extends [Loose<A>] ? true : false) : false;

/** The props of a kind without metadata, and with references left out: those take more than a manifest does. */
type Spec<P, Other extends PropertyKey = never> = Omit<P, 'name' | 'namespace' | 'labels' | 'annotations' | Other>;

type Template = NonNullable<NonNullable<ModelDeploymentInput['template']>['spec']>;
type Pools<T> = T extends { nodePools?: infer L }
  ? NonNullable<L> extends readonly (infer P)[]
    ? Omit<P, 'className'>
    : never
  : never;

test('the types of props are those of the schemas', () => {
  // Checked by the compiler: a `false` here does not compile.
  const same: Record<string, true> = {
    Fleet: true satisfies Same<Spec<FleetProps>, Frozen<FleetSettingsInput>>,
    InferenceClass: true satisfies Same<Spec<InferenceClassProps>, Frozen<InferenceClassInput>>,
    InferenceCluster: true satisfies Same<
      Spec<InferenceClusterProps, 'nodePools'>,
      Omit<Frozen<InferenceClusterInput>, 'nodePools'>
    >,
    NodePool: true satisfies Same<Pools<InferenceClusterProps>, Pools<Frozen<InferenceClusterInput>>>,
    InferenceGateway: true satisfies Same<
      Spec<InferenceGatewayProps, 'clusters'>,
      Omit<Frozen<InferenceGatewayInput>, 'clusters'>
    >,
    ModelCache: true satisfies Same<Spec<ModelCacheProps>, Frozen<ModelCacheInput>>,
    ModelDeployment: true satisfies Same<
      Spec<ModelDeploymentProps, 'modelCacheRef' | 'loraAdapters' | 'replicaLabels' | 'model'>,
      Frozen<Omit<ModelDeploymentInput, 'template' | 'model'> & Omit<Template, 'modelCacheRef' | 'loraAdapters'>>
    >,
    ModelService: true satisfies Same<Spec<ModelServiceProps>, Frozen<ModelServiceInput>>,
    ModelEndpoint: true satisfies Same<Spec<ModelEndpointProps>, Frozen<ModelEndpointInput>>,
    Grant: true satisfies Same<Spec<GrantProps>, Frozen<GrantInput>>,
  };
  expect(Object.values(same)).not.toContain(false);
  const differ = {
    'a value': false satisfies Same<{ a?: { b: 1 } | undefined }, { a?: { b: 2 } | undefined }>,
    'a field': false satisfies Same<{ a: { b: 1 }[] }, { a: { b: 1; c: 2 }[] }>,
    'a missing block': false satisfies Same<{ s: 'A'; a: 1; b?: undefined } | { s: 'B'; b: 2 }, { s: 'A' | 'B'; a: 1 }>,
  };
  expect(Object.values(differ)).not.toContain(true);
});
