/** The DRA driver of the Inferentia and Trainium devices of AWS. */
export const NEURON_DRIVER = 'neuron.aws.com';

/** The extended resource of Neuron devices, and the key of the taint on their nodes. */
export const NEURON_RESOURCE = 'aws.amazon.com/neuron';
