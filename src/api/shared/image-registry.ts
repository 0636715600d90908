import { formed } from './names';

/** A registry, and a path in it, to which the name of an image is appended. */
export const imageRegistry = formed({
  noun: 'a registry',
  code: 'bad-registry',
  pattern:
    /^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)+|[a-z0-9-]+(?=:))(:\d{1,5})?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/,
  max: 253,
  hint: "Write a host and an optional path, as in 'registry.example.com/mirror'",
});
