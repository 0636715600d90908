/** The version of each package that a folder with a Pulumi program needs: those that this release is tested with. */
export const PROGRAM_PACKAGES = {
  '@pulumi/aws': '7.48.0',
  '@pulumi/azure-native': '3.28.0',
  '@pulumi/gcp': '9.37.0',
  '@pulumi/kubernetes': '4.34.2',
  '@pulumi/pulumi': '3.248.0',
  '@types/node': '20.19.0',
  'ts-node': '10.9.2',
  // Pulumi calls the compiler of TypeScript, which 7 does not have.
  typescript: '5.9.3',
} as const;
