import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields } from '../schema/fields';
import { annotationMap } from '../schema/label-map';
import { integer, quantity } from '../schema/quantity';
import { LEAST_FILE_SIZE } from '../schema/quantity-faults';
import { requireExactlyOne, rules, type SchemaRule } from '../schema/rules';
import { absoluteMountPath, dnsLabel, nonEmptyText, referencedName, relativePath } from '../schema/string-formats';

const optional = z.boolean().optional().describe('Whether pods can start without it. Default: false.');
const readOnly = z.boolean().optional().describe('Whether the volume is read-only. Default: false.');

const items = z
  .array(
    fields({
      key: nonEmptyText(253).describe('The key.'),
      path: relativePath.describe('The path of its file in the volume.'),
    }),
  )
  .max(256)
  .optional()
  .describe('The keys, and their files. Default: all keys, each as the file of its name.');

const SECRET_ITEMS = { items, optional };

const downwardItems = z
  .array(
    fields({
      path: relativePath.describe('The file in the volume.'),
      fieldRef: fields({ fieldPath: nonEmptyText(253).describe('The field: metadata.labels.') }).describe(
        'A field of the pod.',
      ),
    }),
  )
  .min(1)
  .max(64)
  .describe('The fields, and their files.');

const source = fields({
  configMap: fields({ name: referencedName.describe('The name of the ConfigMap.'), ...SECRET_ITEMS })
    .optional()
    .describe('Keys of a ConfigMap.'),
  secret: fields({ name: referencedName.describe('The name of the Secret.'), ...SECRET_ITEMS })
    .optional()
    .describe('Keys of a Secret.'),
  downwardAPI: fields({ items: downwardItems }).optional().describe('Fields of the pod.'),
  serviceAccountToken: fields({
    path: relativePath.describe('The file in the volume.'),
    audience: nonEmptyText(253).optional().describe('The audience of the token. Default: the API server.'),
    expirationSeconds: integer(600, 86_400).optional().describe('Default: 3600.'),
  })
    .optional()
    .describe('A token of the service account of the pod.'),
}).check(rules(requireExactlyOne('the source', ['configMap', 'secret', 'downwardAPI', 'serviceAccountToken'])));

const filesDistinct: SchemaRule<readonly z.output<typeof source>[]> = function* (sources) {
  const seen = new Set<string>();
  for (const [i, { configMap, secret, downwardAPI, serviceAccountToken }] of sources.entries()) {
    const items = [configMap, secret, downwardAPI].flatMap((one): readonly { path: string }[] => one?.items ?? []);
    for (const { path } of [...items, ...(serviceAccountToken ? [serviceAccountToken] : [])]) {
      if (seen.has(path)) {
        const what = `two sources of this volume have the file '${path}'`;
        yield errorAt('duplicate-name', [i], what, 'Change the path of one of the two');
      }
      seen.add(path);
    }
  }
};

const SOURCES = {
  emptyDir: fields({
    medium: z
      .enum(['Memory'])
      .optional()
      .describe('Memory: files count as memory of the container. Default: the disk of the node.'),
    sizeLimit: quantity(32, LEAST_FILE_SIZE).optional().describe('The size limit. Default: no limit.'),
  })
    .optional()
    .describe('An empty folder that is deleted with the pod.'),
  configMap: fields({ name: referencedName.describe('The name of the ConfigMap.'), ...SECRET_ITEMS })
    .optional()
    .describe('A ConfigMap in the namespace of the deployment, on each cluster.'),
  secret: fields({ secretName: referencedName.describe('The name of the Secret.'), ...SECRET_ITEMS })
    .optional()
    .describe('A Secret in the namespace of the deployment, on each cluster.'),
  persistentVolumeClaim: fields({ claimName: referencedName.describe('The name of the claim.'), readOnly })
    .optional()
    .describe('A PersistentVolumeClaim that many nodes can mount, on each cluster.'),
  nfs: fields({
    server: nonEmptyText(253).describe('The host.'),
    path: absoluteMountPath.describe('The path that it exports.'),
    readOnly,
  })
    .optional()
    .describe('A folder of an NFS server.'),
  csi: fields({
    driver: referencedName.describe('The name of the driver.'),
    readOnly,
    fsType: nonEmptyText(32).optional().describe('The file system. Default: that of the driver.'),
    volumeAttributes: annotationMap(64).optional().describe('Attributes for the driver.'),
    nodePublishSecretRef: fields({ name: referencedName.describe('The name of the Secret.') })
      .optional()
      .describe('Credentials for the driver.'),
  })
    .optional()
    .describe('A volume that a driver creates for each pod.'),
  projected: fields({
    sources: z.array(source).min(1).max(32).check(rules(filesDistinct)).describe('The sources of the files.'),
  })
    .optional()
    .describe('Several sources in one folder.'),
  downwardAPI: fields({ items: downwardItems }).optional().describe('Fields of the pod as files.'),
  hostPath: fields({
    path: absoluteMountPath.describe('The path on the node.'),
    type: z
      .enum(['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'])
      .optional()
      .describe('The type that the path must have. Default: not checked.'),
  })
    .optional()
    .describe('A path of the node. The namespace then needs the Pod Security level privileged.'),
};

export const volume = fields({ name: dnsLabel.describe('The name by which containers mount it.'), ...SOURCES }).check(
  rules(requireExactlyOne('the volume', Object.keys(SOURCES))),
);

export const volumeMount = fields({
  name: dnsLabel.describe('The name of the volume.'),
  mountPath: absoluteMountPath.describe('The path in the container.'),
  subPath: relativePath.optional().describe('The folder of the volume that is mounted. Default: all of it.'),
  readOnly,
});
