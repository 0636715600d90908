/** How clients without credentials keep their access where a gateway is to ask for some: it refuses them from then on. */
export const SECOND_GATEWAY_ADVICE = 'let clients move first to a second InferenceGateway that asks for credentials';
