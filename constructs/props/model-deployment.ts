// Written by `npm run props` from the schemas in src/api. Changes made here are lost.
import type { ModelCache } from '../model-cache';

/** Properties of a `ModelDeployment`. A model to serve: how many replicas, which devices they need, and the engines that run on them. */
export interface ModelDeploymentProps {
  /**
   * The name, unique among resources of this kind and namespace.
   *
   * @default the id of the construct
   */
  readonly name?: string | undefined;

  /**
   * The namespace.
   *
   * @default default
   */
  readonly namespace?: string | undefined;

  /**
   * Labels, for selectors.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;

  /**
   * Annotations. Nothing is decided by them.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>> | undefined;

  /** How many replicas to place, each on one cluster. */
  readonly replicas: number;

  /**
   * Deployments of higher priority are placed first.
   *
   * @default 0
   */
  readonly priority?: number | undefined;

  /**
   * Whether fewer replicas than asked for are fine.
   *
   * @default false
   */
  readonly allowPartial?: boolean | undefined;

  /**
   * Whether its replicas stay exactly where they are: none added, moved or removed.
   *
   * @default false
   */
  readonly paused?: boolean | undefined;

  /**
   * How pods are replaced when what they run changes.
   *
   * @default Rolling
   */
  readonly rollout?:
    | 'Recreate'
    | {
        /**
         * Rolling: one pod, or group, of an engine after the other. Recreate: all go, then the new ones come.
         *
         * @default Rolling
         */
        readonly strategy?: 'Rolling' | 'Recreate' | undefined;

        /**
         * Pods, or groups, of each engine that are made before an old one goes; the plan keeps devices free for them.
         *
         * @default 0
         */
        readonly surge?: number | undefined;

        /**
         * Replicas that are replaced at a time, where the tool that applies them waits.
         *
         * @default 1
         */
        readonly parallel?: number | undefined;
      }
    | undefined;

  /**
   * Which clusters are preferred, and how replicas spread.
   *
   * @default - none
   */
  readonly placement?:
    | {
        /**
         * Spread: the cluster with the fewest replicas of this deployment. Pack: the fullest. Cheapest: the lowest price. Preferred: the first of a list.
         *
         * @default Spread
         */
        readonly policy?: 'Spread' | 'Pack' | 'Cheapest' | 'Preferred' | undefined;

        /**
         * For policy Preferred: cluster selectors, the best first.
         *
         * @default - none
         */
        readonly preferred?:
          | readonly {
              /** Labels that must be there with these values. */
              readonly matchLabels: Readonly<Record<string, string>>;
            }[]
          | undefined;

        /**
         * The failure domain to spread over first: a name of the Fleet's domains, or a cluster label key.
         *
         * @default - none
         */
        readonly spreadBy?: string | undefined;

        /**
         * The fewest failure domains that replicas must be in.
         *
         * @default - none
         */
        readonly minDomains?: number | undefined;

        /**
         * The most replicas in one failure domain.
         *
         * @default - none
         */
        readonly maxPerDomain?: number | undefined;

        /**
         * The most replicas on one cluster.
         *
         * @default - none
         */
        readonly maxPerCluster?: number | undefined;
      }
    | undefined;

  /**
   * Clusters that replicas may be on.
   *
   * @default all
   */
  readonly clusterSelector?:
    | {
        /**
         * Labels that must be there with these values.
         *
         * @default - none
         */
        readonly matchLabels?: Readonly<Record<string, string>> | undefined;

        /**
         * Requirements, all of which must hold.
         *
         * @default - none
         */
        readonly matchExpressions?:
          | readonly {
              /** The label. */
              readonly key: string;

              /** NotIn and DoesNotExist also select what lacks the label. */
              readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

              /**
               * For In and NotIn.
               *
               * @default - none
               */
              readonly values?: readonly string[] | undefined;
            }[]
          | undefined;
      }
    | undefined;

  /**
   * The name of a ModelCache in the same namespace.
   *
   * @default - none
   */
  readonly modelCacheRef?: ModelCache | string | undefined;

  /**
   * Adapters that engines load beside the model. Mounted at /mnt/adapters/NAME.
   *
   * @default - none
   */
  readonly loraAdapters?:
    | readonly {
        /** The name by which requests choose the adapter as their model. */
        readonly name: string;

        /** The ModelCache with content LoRA that holds it. */
        readonly modelCacheRef: {
          /** The name of a ModelCache in the same namespace. */
          readonly name: ModelCache | string;
        };
      }[]
    | undefined;

  /**
   * How requests reach the engines.
   *
   * @default - none
   */
  readonly serving?:
    | {
        /**
         * PrefillDecode: one engine reads prompts, another writes answers.
         *
         * @default Unified
         */
        readonly mode?: 'Unified' | 'PrefillDecode' | undefined;
      }
    | undefined;

  /**
   * Taints of clusters that replicas tolerate.
   *
   * @default - none
   */
  readonly tolerations?:
    | readonly {
        /**
         * The key of the taint. None with operator Exists: every taint.
         *
         * @default - none
         */
        readonly key?: string | undefined;

        /**
         * Equal: key and value match. Exists: the key does.
         *
         * @default Equal
         */
        readonly operator?: 'Equal' | 'Exists' | undefined;

        /**
         * The value of the taint, for operator Equal.
         *
         * @default - none
         */
        readonly value?: string | undefined;

        /**
         * The effect of the taint.
         *
         * @default every effect
         */
        readonly effect?: 'NoSchedule' | 'NoExecute' | undefined;
      }[]
    | undefined;

  /**
   * How its engines are asked whether they serve.
   *
   * @default as their runtime has it
   */
  readonly healthCheck?:
    | {
        /**
         * Whether anybody asks. Without, a pod counts as ready once its container runs.
         *
         * @default true
         */
        readonly enabled?: boolean | undefined;

        /**
         * The path to ask.
         *
         * @default that of the runtime
         */
        readonly path?: string | undefined;

        /**
         * The port to ask.
         *
         * @default the port on which the engine serves
         */
        readonly port?: number | undefined;

        /**
         * The time between two checks.
         *
         * @default 10s
         */
        readonly interval?: string | undefined;

        /**
         * How long an answer may take.
         *
         * @default that of the runtime
         */
        readonly timeout?: string | undefined;

        /**
         * The time before the first check.
         *
         * @default 0s
         */
        readonly initialDelay?: string | undefined;

        /**
         * Good answers until a pod gets requests.
         *
         * @default 1
         */
        readonly healthyThreshold?: number | undefined;

        /**
         * Bad answers until a pod gets no more requests.
         *
         * @default 3
         */
        readonly unhealthyThreshold?: number | undefined;

        /**
         * Good answers, for gateways; probes of pods take all from 200 to 399.
         *
         * @default 200
         */
        readonly expectedStatuses?: readonly number[] | undefined;
      }
    | undefined;

  /** The serving units of a replica. */
  readonly engines: readonly {
    /** The name of the engine within the deployment. */
    readonly name: string;

    /**
     * How many times a replica runs the engine.
     *
     * @default 1
     */
    readonly copies?: number | undefined;

    /**
     * The program that serves.
     *
     * @default recognised from command and image; Custom where neither says
     */
    readonly runtime?:
      | 'vLLM'
      | 'SGLang'
      | 'TensorRTLLM'
      | 'TGI'
      | 'LlamaCpp'
      | 'Ollama'
      | 'NIM'
      | 'LMDeploy'
      | 'Custom'
      | undefined;

    /**
     * Auto: the arguments by which the nodes of a gang find each other are added, and a Worker without command and args starts as its Leader does.
     *
     * @default None
     */
    readonly bootstrap?: 'Auto' | 'None' | undefined;

    /**
     * How it starts.
     *
     * @default - none
     */
    readonly startup?:
      | {
          /**
           * How long it may load before its pod starts anew.
           *
           * @default by the size of its cache
           */
          readonly budget?: string | undefined;
        }
      | undefined;

    /**
     * How it ends.
     *
     * @default - none
     */
    readonly drain?:
      | {
          /**
           * How long answers that are being written may take to end.
           *
           * @default 10m
           */
          readonly grace?: string | undefined;
        }
      | undefined;

    /**
     * For serving mode PrefillDecode.
     *
     * @default - none
     */
    readonly phase?: 'Prefill' | 'Decode' | undefined;

    /** One Standalone member, or one Leader and one Worker. */
    readonly members: readonly {
      /**
       * Standalone: a pod alone. Leader and Worker: a gang over several nodes.
       *
       * @default Standalone
       */
      readonly role?: 'Standalone' | 'Leader' | 'Worker' | undefined;

      /**
       * What each pod needs from its node. None: the pod claims nothing and follows its engine.
       *
       * @default - none
       */
      readonly nodeSelector?:
        | {
            /** The devices that each pod claims. */
            readonly devices: readonly {
              /** The name of the request within the claim. */
              readonly name: string;

              /**
               * Devices of one node that each pod needs.
               *
               * @default 1
               */
              readonly count?: number | undefined;

              /**
               * What a device must be, by the names that its driver publishes: architecture: Hopper, memory: ">= 79Gi", supports: FP8. Of gpu.nvidia.com, unless driver says another.
               *
               * @default - see selectors
               */
              readonly where?:
                | Readonly<Record<string, string | number | boolean | readonly string[]>>
                | undefined;

              /**
               * What a device must be, all of it.
               *
               * @default none beside where
               */
              readonly selectors?:
                | readonly {
                    /** A CEL expression over one device, as in a DeviceClass. */
                    readonly cel: string;
                  }[]
                | undefined;

              /**
               * Instead of count and selectors: alternatives, the best first. The cluster takes the first that it has.
               *
               * @default - none
               */
              readonly firstAvailable?:
                | readonly {
                    /** The name of the alternative within the request. */
                    readonly name: string;

                    /**
                     * Devices of one node that each pod needs.
                     *
                     * @default 1
                     */
                    readonly count?: number | undefined;

                    /**
                     * What a device must be, by the names that its driver publishes: architecture: Hopper, memory: ">= 79Gi", supports: FP8. Of gpu.nvidia.com, unless driver says another.
                     *
                     * @default - see selectors
                     */
                    readonly where?:
                      | Readonly<Record<string, string | number | boolean | readonly string[]>>
                      | undefined;

                    /**
                     * What a device must be, all of it.
                     *
                     * @default none beside where
                     */
                    readonly selectors?:
                      | readonly {
                          /** A CEL expression over one device, as in a DeviceClass. */
                          readonly cel: string;
                        }[]
                      | undefined;
                  }[]
                | undefined;

              /**
               * Taints of devices that the request puts up with, in every form. Needs Kubernetes 1.36.
               *
               * @default - none
               */
              readonly tolerations?:
                | readonly {
                    /**
                     * The key of the taint. None with operator Exists: every taint.
                     *
                     * @default - none
                     */
                    readonly key?: string | undefined;

                    /**
                     * Equal: key and value match. Exists: the key does.
                     *
                     * @default Equal
                     */
                    readonly operator?: 'Equal' | 'Exists' | undefined;

                    /**
                     * The value of the taint, for operator Equal.
                     *
                     * @default - none
                     */
                    readonly value?: string | undefined;

                    /**
                     * The effect of the taint.
                     *
                     * @default every effect
                     */
                    readonly effect?: 'NoSchedule' | 'NoExecute' | undefined;

                    /**
                     * For effect NoExecute: how long the pod stays.
                     *
                     * @default for ever
                     */
                    readonly tolerationSeconds?: number | undefined;
                  }[]
                | undefined;

              /**
               * Configuration of the devices, passed to their driver as it is.
               *
               * @default - none
               */
              readonly config?:
                | readonly {
                    /** The driver that reads it: gpu.nvidia.com. */
                    readonly driver: string;

                    /** What the driver takes, with its apiVersion and kind. */
                    readonly parameters: Readonly<Record<string, unknown>>;
                  }[]
                | undefined;
            }[];

            /**
             * What the devices must have in common, or may not.
             *
             * @default - none
             */
            readonly constraints?:
              | readonly {
                  /**
                   * All devices of the requests have one value of this attribute.
                   *
                   * @default - none
                   */
                  readonly matchAttribute?: string | undefined;

                  /**
                   * No two devices of the requests share a value of this attribute.
                   *
                   * @default - none
                   */
                  readonly distinctAttribute?: string | undefined;

                  /**
                   * The names of requests.
                   *
                   * @default all of the pod
                   */
                  readonly requests?: readonly string[] | undefined;
                }[]
              | undefined;
          }
        | undefined;

      /**
       * For role Worker.
       *
       * @default - none
       */
      readonly worker?:
        | {
            /**
             * Worker pods beside the leader, each on its own node.
             *
             * @default 1
             */
            readonly nodes?: number | undefined;
          }
        | undefined;

      /** The pods of the member. */
      readonly template: {
        /**
         * Labels and annotations of the pods.
         *
         * @default - none
         */
        readonly metadata?:
          | {
              /**
               * Labels of the pods.
               *
               * @default - none
               */
              readonly labels?: Readonly<Record<string, string>> | undefined;

              /**
               * Annotations of the pods.
               *
               * @default - none
               */
              readonly annotations?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;

        /** The one container of the pods. */
        readonly spec: {
          /** Exactly one container. */
          readonly containers: readonly [
            {
              /** The name of the one container: 'engine'. */
              readonly name: 'engine';

              /** The container image. */
              readonly image: string;

              /**
               * Replaces the image's entrypoint.
               *
               * @default - none
               */
              readonly command?: readonly string[] | undefined;

              /**
               * Arguments of the entrypoint. Parallelism and the model are set here.
               *
               * @default - none
               */
              readonly args?: readonly string[] | undefined;

              /**
               * The environment.
               *
               * @default - none
               */
              readonly env?:
                | readonly {
                    /** The name of the variable. */
                    readonly name: string;

                    /**
                     * Its value. $(NAME) stands for an earlier variable.
                     *
                     * @default - none
                     */
                    readonly value?: string | undefined;

                    /**
                     * Where its value comes from.
                     *
                     * @default - none
                     */
                    readonly valueFrom?:
                      | {
                          /**
                           * A key of a Secret in the namespace of the deployment, on each cluster.
                           *
                           * @default - none
                           */
                          readonly secretKeyRef?:
                            | {
                                /** The name of the Secret. */
                                readonly name: string;

                                /** The key in the Secret. */
                                readonly key: string;

                                /**
                                 * Whether pods start without it.
                                 *
                                 * @default false
                                 */
                                readonly optional?: boolean | undefined;
                              }
                            | undefined;

                          /**
                           * A key of a ConfigMap in the namespace of the deployment, on each cluster.
                           *
                           * @default - none
                           */
                          readonly configMapKeyRef?:
                            | {
                                /** The name of the ConfigMap. */
                                readonly name: string;

                                /** The key in the ConfigMap. */
                                readonly key: string;

                                /**
                                 * Whether pods start without it.
                                 *
                                 * @default false
                                 */
                                readonly optional?: boolean | undefined;
                              }
                            | undefined;

                          /**
                           * A field of the pod.
                           *
                           * @default - none
                           */
                          readonly fieldRef?:
                            | {
                                /** A field of the pod: status.podIP. */
                                readonly fieldPath: string;

                                /**
                                 * The version of the pod API.
                                 *
                                 * @default v1
                                 */
                                readonly apiVersion?: string | undefined;
                              }
                            | undefined;
                        }
                      | undefined;
                  }[]
                | undefined;

              /**
               * CPU and memory. Devices are claimed by nodeSelector.
               *
               * @default - none
               */
              readonly resources?:
                | {
                    /**
                     * What the container is sure to get.
                     *
                     * @default its share of the node, by its devices
                     */
                    readonly requests?:
                      | {
                          /**
                           * CPU: 16, or 500m.
                           *
                           * @default - none
                           */
                          readonly cpu?: string | undefined;

                          /**
                           * Memory: 200Gi.
                           *
                           * @default - none
                           */
                          readonly memory?: string | undefined;
                        }
                      | undefined;

                    /**
                     * What the container may not exceed.
                     *
                     * @default no limit
                     */
                    readonly limits?:
                      | {
                          /**
                           * CPU: 16, or 500m.
                           *
                           * @default - none
                           */
                          readonly cpu?: string | undefined;

                          /**
                           * Memory: 200Gi.
                           *
                           * @default - none
                           */
                          readonly memory?: string | undefined;
                        }
                      | undefined;
                  }
                | undefined;
            },
          ];

          /**
           * Secrets for the registry of the image.
           *
           * @default - none
           */
          readonly imagePullSecrets?:
            | readonly {
                /** The name of the Secret, in the namespace of the deployment. */
                readonly name: string;
              }[]
            | undefined;
        };
      };
    }[];
  }[];

  /**
   * Labels of replicas and their endpoints, for services to select.
   *
   * @default - none
   */
  readonly replicaLabels?: Readonly<Record<string, string>> | undefined;
}
