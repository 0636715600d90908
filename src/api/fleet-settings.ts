import { z } from 'zod';
import { shortenText } from '../base/describe-value';
import { errorAt } from '../base/diagnostic';
import { addedClusterGateway } from './cluster-network';
import { addedGateway } from './inference-gateway';
import { IN_FLEET } from './kubernetes-spellings';
import { namespaceRule } from './namespace-rule';
import { OUR_GROUP, type ResourceOf } from './resource';
import { fields } from './schema/fields';
import { defineKind } from './schema/kind';
import { labelKey, userLabels } from './schema/label-map';
import { namedList } from './schema/list';
import { rules, type SchemaRule } from './schema/rules';
import { dnsLabelKeys, imageRegistry, nonEmptyText, referencedName } from './schema/string-formats';
import { tolerations } from './schema/taints-and-tolerations';

function cacheImage(tool: string) {
  return nonEmptyText(1024)
    .optional()
    .describe(`An image that contains ${tool}. Default: a public one, see docs/caches.md.`);
}

const starInFileName: SchemaRule<string> = function* (pattern) {
  if (!pattern.slice(0, pattern.lastIndexOf('/') + 1).includes('*')) return;
  const hint = "Use '*' only in the name of the file, and a pattern for each folder";
  yield errorAt('bad-pattern', [], `'${shortenText(pattern)}' has '*' in the name of a folder`, hint);
};

const spec = fields(
  {
    defaults: fields({
      labels: userLabels.describe(
        'Added to template.metadata.labels. A value of the deployment itself takes precedence.',
      ),
      tolerations: tolerations.describe('Added to template.spec.tolerations.'),
      imageRegistry: imageRegistry
        .optional()
        .describe('The registry of images that name none: registry.example.com/mirror.'),
      picker: z
        .enum(['LeastRequest', 'PrefixCache'])
        .optional()
        .describe(
          'How gateways choose pods for services without a picker and without session affinity. PrefixCache applies to deployments whose engine caches prefixes. Default: - LeastRequest, and PrefixCache for prefill and decode.',
        ),
      cacheImages: fields({
        huggingFace: cacheImage('python3 with huggingface_hub'),
        s3: cacheImage('rclone'),
        gcs: cacheImage('rclone'),
        azureBlob: cacheImage('rclone'),
        http: cacheImage('curl'),
      })
        .prefault({})
        .describe('The images that stage caches, by source. All need sh, find, stat, awk and grep.'),
    })
      .prefault({})
      .describe('Defaults for all ModelDeployments, ModelCaches and ModelServices.'),
    additions: fields({
      clusters: namedList(
        fields({
          name: referencedName.describe('The name of the InferenceCluster.'),
          gateway: addedClusterGateway.describe('Fields of its spec.gateway.'),
        }),
        { max: 1000 },
      )
        .default([])
        .describe('Fields that are added to clusters.'),
      gateways: namedList(addedGateway, { max: 64 }).default([]).describe('Fields that are added to gateways.'),
    })
      .prefault({})
      .describe(
        'Fields of Fleetwright for clusters and gateways whose manifests modelplane.ai reads too, and whose API server rejects these fields. If the manifest sets the field too, the values must be equal. See docs/migrate.md.',
      ),
    domains: z
      .record(z.string(), labelKey)
      .check(rules(dnsLabelKeys))
      .default({})
      .describe(
        'Names for cluster labels that are failure domains, for spreadBy: rack: example.com/rack. Adds to cluster, region and provider, which it may redefine.',
      ),
    catalogue: nonEmptyText(1024)
      .optional()
      .describe(
        'A file of GPUs, instance types and macros that extends or corrects the catalog: ./catalogue.yaml. Relative to this manifest. Default: none.',
      ),
    models: nonEmptyText(1024)
      .optional()
      .describe(
        'A file of models that extends or corrects the catalog of models, and of measured speeds: ./models.yaml. Relative to this manifest. Default: none.',
      ),
    prices: nonEmptyText(1024)
      .optional()
      .describe(
        'A file of actual prices of nodes, and of discounts on list prices: ./prices.yaml. Relative to this manifest. Default: none.',
      ),
    policies: nonEmptyText(1024)
      .optional()
      .describe(
        'A file of rules that a plan must meet before it is accepted: ./policy.yaml. Relative to this manifest. Default: none.',
      ),
    namespaces: z
      .array(namespaceRule)
      .max(1000)
      .default([])
      .describe(
        'What resources may use, by namespace. The first rule that matches applies. Default: no privileged containers, no paths of nodes and no tokens of ServiceAccounts.',
      ),
    snapshots: z
      .array(nonEmptyText(1024).check(rules(starInFileName)))
      .max(1000)
      .default([])
      .describe(
        "Files of nodes, pods and ResourceSlices as 'kubectl get -o yaml' prints them, named CLUSTER.yaml: ./snapshots/*.yaml. Relative to this manifest. They reduce the declared capacity.",
      ),
    otherParts: z
      .array(nonEmptyText(1024).check(rules(starInFileName)))
      .max(1000)
      .default([])
      .describe(
        "Of a fleet that is split into parts: files with what the others use, as 'fleetwright plan --summary' writes them: ../summaries/*.json. Relative to this manifest. Budgets and device quotas count them.",
      ),
  },
  IN_FLEET,
);

export const fleetSettings = defineKind({
  kind: 'Fleet',
  scope: 'Cluster',
  groups: OUR_GROUP,
  description:
    'Settings of the whole fleet. There is at most one. Its name is in the tags of cloud resources: to add or rename it later recreates all nodes on EKS. See docs/provisioning.md.',
  spec,
});

/** Settings of the whole fleet. */
export type FleetSettings = ResourceOf<'Fleet', z.output<typeof spec>>;

export type FleetSettingsInput = z.input<typeof spec>;
