import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { GrantProps } from './props/grant';

/**
 * Lets services of other namespaces route to deployments and endpoints of this namespace.
 *
 * It is declared in the namespace of the targets.
 *
 * @example
 * new Grant(fleet, 'for-search', {
 *   namespace: 'ml',
 *   from: [{ namespace: 'search' }],
 *   to: [{ kind: 'ModelDeployment' }],
 * });
 */
export class Grant extends Declaration<'Grant'> {
  constructor(scope: Construct, id: string, props: GrantProps) {
    super(scope, id, 'Grant', props);
  }
}
