import type * as Catalog from './commands/catalog';
import type * as Complete from './commands/complete';
import type * as Doctor from './commands/doctor';
import type * as Explain from './commands/explain';
import type * as Export from './commands/export';
import type * as Fit from './commands/fit';
import type * as Init from './commands/init';
import type * as Lock from './commands/lock';
import type * as Migrate from './commands/migrate';
import type * as Models from './commands/model';
import type * as Plan from './commands/plan';
import type * as PulumiPreview from './commands/pulumi-preview';
import type * as Schema from './commands/schema';
import type * as Smoke from './commands/smoke';
import type * as Status from './commands/status';
import type * as Survive from './commands/survive';
import type * as Synth from './commands/synth';
import type * as Validate from './commands/validate';
import type * as WhatIf from './commands/what-if';

/** The modules of the commands. A command loads what it needs when it runs, so that short answers come at once. */
export const load = {
  catalog: () => require('./commands/catalog') as typeof Catalog,
  complete: () => require('./commands/complete') as typeof Complete,
  doctor: () => require('./commands/doctor') as typeof Doctor,
  explain: () => require('./commands/explain') as typeof Explain,
  export: () => require('./commands/export') as typeof Export,
  fit: () => require('./commands/fit') as typeof Fit,
  init: () => require('./commands/init') as typeof Init,
  lock: () => require('./commands/lock') as typeof Lock,
  migrate: () => require('./commands/migrate') as typeof Migrate,
  model: () => require('./commands/model') as typeof Models,
  plan: () => require('./commands/plan') as typeof Plan,
  pulumiPreview: () => require('./commands/pulumi-preview') as typeof PulumiPreview,
  schema: () => require('./commands/schema') as typeof Schema,
  smoke: () => require('./commands/smoke') as typeof Smoke,
  status: () => require('./commands/status') as typeof Status,
  survive: () => require('./commands/survive') as typeof Survive,
  synth: () => require('./commands/synth') as typeof Synth,
  validate: () => require('./commands/validate') as typeof Validate,
  whatIf: () => require('./commands/what-if') as typeof WhatIf,
} as const;
