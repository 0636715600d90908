// Registers what FLEETWRIGHT_REGISTRATIONS lists, with the SDK of Pulumi alone: what a program of as many resources of the
// same size takes that decides nothing.
const { readFileSync } = require('node:fs');
const { ComponentResource, CustomResource, ProviderResource } = require('@pulumi/pulumi');

const PROVIDER = 'pulumi:providers:';

const made = new Map();
for (const { type, name, custom, urn, parent, provider, inputs } of JSON.parse(
  readFileSync(process.env.FLEETWRIGHT_REGISTRATIONS, 'utf8'),
)) {
  // The SDK registers the stack itself.
  const options = { parent: made.get(parent), provider: made.get(provider) };
  made.set(urn, register(type, name, { custom, inputs, options }));
}

function register(type, name, { custom, inputs, options }) {
  if (type.startsWith(PROVIDER)) return new ProviderResource(type.slice(PROVIDER.length), name, inputs, options);
  return custom ? new CustomResource(type, name, inputs, options) : new ComponentResource(type, name, inputs, options);
}
