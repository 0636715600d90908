// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { SecretReference, Timeouts } from './shared';
import type { ObjectReference } from '../object-reference';

/** Properties of a `ModelEndpoint`. A server that the fleet does not run and that serves a model. */
export interface ModelEndpointProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** The namespace.
   * @default default */
  readonly namespace?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** A provider from the built-in table, which defines its address and the form of its credential.
   * @default - none */
  readonly provider?:
    | 'OpenAI'
    | 'Anthropic'
    | 'Cerebras'
    | 'DeepInfra'
    | 'DeepSeek'
    | 'Fireworks'
    | 'Gemini'
    | 'Groq'
    | 'Mistral'
    | 'Nebius'
    | 'OpenRouter'
    | 'Together'
    | 'xAI'
    | undefined;
  /** The base address: https://api.example.com/v1. Its path replaces /v1 of the service.
   * @default that of the provider */
  readonly url?: string | undefined;
  /** A service of KServe on a cluster of the fleet, in place of url and provider. Only ingress gateways on that cluster reach it.
   * @default none */
  readonly inside?: Inside | undefined;
  /** Whether the server is within a cluster or a private network. Link-local and loopback addresses, API servers and gateways of the fleet are always rejected.
   * @default false */
  readonly private?: boolean | undefined;
  /** The path that replaces the whole path of the service in requests: /.
   * @default - none */
  readonly rewritePath?: string | undefined;
  /** The models that it serves, by the names of its own API, after model.as.
   * @default - unknown */
  readonly models?: readonly string[] | undefined;
  /** The credential that it requires.
   * @default none */
  readonly credential?: EndpointCredential | undefined;
  /** How its certificate is verified.
   * @default with the publicly trusted authorities */
  readonly tls?: EndpointTls | undefined;
  /** The name of the model in its API.
   * @default the name that the client sends */
  readonly model?: EndpointModel | undefined;
  /** Timeouts of requests.
   * @default - none */
  readonly timeouts?: Timeouts | undefined;
}

/** A service of KServe on a cluster of the fleet, in place of url and provider. Only ingress gateways on that cluster reach it. */
export interface Inside {
  /** The cluster. */
  readonly cluster: string;
  /** The LLMInferenceService of KServe, in this namespace of the cluster. Fleetwright does not create it. */
  readonly llmInferenceService: string;
}

/** The credential that it requires. */
export interface EndpointCredential {
  /** The Secret, in this namespace on clusters with an ingress gateway. Its key credential contains the whole value of the header. */
  readonly secretRef: SecretReference;
  /** The header that carries it.
   * @default that of the provider, else authorization */
  readonly header?: string | undefined;
  /** The beginning of the value in the Secret.
   * @default that of the provider, else Bearer for authorization */
  readonly scheme?: string | undefined;
}

/** How its certificate is verified. */
export interface EndpointTls {
  /** The authority that signed its certificate, if it is not a publicly trusted one. */
  readonly caRef: EndpointCaReference;
}

/** The authority that signed its certificate, if it is not a publicly trusted one. */
export interface EndpointCaReference {
  /** The name of the ConfigMap, in this namespace: ca.crt. */
  readonly name: ObjectReference | string;
}

/** The name of the model in its API. */
export interface EndpointModel {
  /** How the name of the model in requests is rewritten. */
  readonly as: string;
}
