import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { shortenText } from '../../base/describe-value';
import { pullPolicy } from '../pod/container';
import { fields } from '../schema/fields';
import { describeAboveMaximum, rules, type SchemaRule } from '../schema/rules';
import { secretReference } from '../schema/secret-reference';
import { nonEmptyText, referencedName, relativePath } from '../schema/string-formats';

const insideVolume: SchemaRule<string> = function* (path) {
  if (!path.startsWith('/') && !path.split('/').includes('..')) return;
  const hint = "Use a path that does not begin with '/' and has no '..'";
  yield errorAt('bad-path', [], `'${shortenText(path)}' leads out of the volume`, hint);
};

/** The path of a folder in a volume. */
export const folderInVolume = nonEmptyText(1024).check(rules(insideVolume));

export const oci = fields({
  image: nonEmptyText(1024).describe(
    'The image whose files are mounted: registry.example.com/models/qwen3-8b@sha256:... A tag can change, a digest cannot.',
  ),
  path: folderInVolume.optional().describe('The folder of the image that is mounted: models. Default: all of it.'),
  pullPolicy,
  pullSecretRef: secretReference('The Secret of type kubernetes.io/dockerconfigjson for a private registry.')
    .optional()
    .describe(
      'The Secret for a private registry, in the namespace of the cache. Default: the identity of the node and the imagePullSecrets of the engine.',
    ),
});

export const configMap = fields({
  name: referencedName.describe('The ConfigMap, in the namespace of the cache, on each cluster.'),
  items: z
    .array(
      fields({
        key: nonEmptyText(253).describe('The key of the ConfigMap.'),
        path: relativePath.describe('The file in the cache: tokenizer.json.'),
      }),
    )
    .max(500)
    .default([])
    .describe('The keys that are mounted. Default: all keys, each as the file of its name.'),
});

/** The limit of the API server for the values of a ConfigMap (MaxSecretSize in pkg/apis/core). */
const MAX_CONFIG_MAP_BYTES = 1024 * 1024;

/** The keys of a ConfigMap (IsConfigMapKey in apimachinery). */
const CONFIG_MAP_KEY = /^(?!\.\.)(?!\.$)[-._a-zA-Z0-9]{1,253}$/;

const fileNames: SchemaRule<Readonly<Record<string, string>>> = function* (files) {
  const names = Object.keys(files);
  if (names.length === 0) {
    yield errorAt('missing-field', [], 'no file is set', "Add at least one, as in 'chat_template.jinja: ...'");
  }
  for (const name of names) {
    if (CONFIG_MAP_KEY.test(name)) continue;
    const hint = "Use at most 253 letters, digits, '-', '_' and '.': a ConfigMap has no folders";
    yield errorAt('bad-name', [name], `'${shortenText(name)}' is not the name of a file in a ConfigMap`, hint);
  }
};

const fitsConfigMap: SchemaRule<Readonly<Record<string, string>>> = function* (files) {
  const bytes = Object.values(files).reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  if (bytes <= MAX_CONFIG_MAP_BYTES) return;
  const hint = 'Use source OCI, S3, GCS, AzureBlob or HTTP: a ConfigMap cannot be larger';
  yield describeAboveMaximum([], `a size of ${bytes} bytes`, MAX_CONFIG_MAP_BYTES, hint);
};

export const inline = fields({
  files: z
    .record(z.string(), z.string())
    .check(rules(fileNames, fitsConfigMap))
    .describe(
      'The text of each file, by name: at most 1 MiB in total. Manifests contain it, so it must not contain secrets.',
    ),
});
